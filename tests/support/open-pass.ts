/** Opens a pass for Apple Wallet, and checks its signature as a phone does. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeDataDirectory } from './test-database.ts';

export async function openPass(reply: Response) {
  expect(reply.status).toBe(200);
  const folder = makeDataDirectory();
  const files = filesOfZip(Buffer.from(await reply.arrayBuffer()));
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  const read = (name: string) => readFileSync(join(folder, name));
  return {
    folder,
    names: files.map(([name]) => name),
    read,
    json: JSON.parse(read('pass.json').toString()) as Record<string, unknown>,
  };
}

/** Throws unless the signature covers this file of the pass, by a certificate that leads to `root.pem` in the folder of the keys. */
export function verifySignature(pass: { folder: string }, keys: { folder: string }, content = 'manifest.json'): void {
  const root = join(keys.folder, 'root.pem');
  const command = `smime -verify -binary -inform DER -in signature -content ${content} -purpose any -CAfile ${root} -out verified`;
  execFileSync('openssl', command.split(' '), { cwd: pass.folder, stdio: 'pipe' });
}

/** By the directory at its end. Nothing in a pass is compressed. */
function filesOfZip(zip: Buffer): [name: string, content: Buffer][] {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let entry = zip.readUInt32LE(end + 16);
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    const [size, nameLength, start] = [
      zip.readUInt32LE(entry + 24),
      zip.readUInt16LE(entry + 28),
      zip.readUInt32LE(entry + 42),
    ];
    const name = zip.toString('utf8', entry + 46, entry + 46 + nameLength);
    expect([name, zip.readUInt16LE(entry + 10)]).toEqual([name, 0]);
    entry += 46 + nameLength + zip.readUInt16LE(entry + 30) + zip.readUInt16LE(entry + 32);
    const from = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
    return [name, zip.subarray(from, from + size)];
  });
}
