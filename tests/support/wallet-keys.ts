/** Keys for wallets as Apple and Google give them out, made by openssl for this run. */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDirectory } from './test-database.ts';

export const PASS_TYPE = 'pass.example.handstamp';
export const TEAM = 'TEAM123456';
export const ISSUER = '3388000000012345678';
export const SERVICE_ACCOUNT = 'wallet@handstamp.example';

const openssl = (folder: string, command: string, ...more: string[]) =>
  execFileSync('openssl', [...command.split(' '), ...more], { cwd: folder, stdio: 'pipe' });

/** A root, the certificate that it issued for issuing others, and the one for passes: as many as at Apple. */
export function makeAppleKeys() {
  const folder = makeDataDirectory();
  writeFileSync(join(folder, 'ca.cnf'), 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n');
  writeFileSync(join(folder, 'leaf.cnf'), 'keyUsage=critical,digitalSignature\n');
  const request = (name: string, subject: string) =>
    openssl(folder, `req -new -newkey rsa:2048 -nodes -keyout ${name}.key -out ${name}.csr -subj`, subject);
  const issue = (name: string, by: string, extensions: string) =>
    openssl(
      folder,
      `x509 -req -in ${name}.csr -CA ${by}.pem -CAkey ${by}.key -CAcreateserial -days 30 -extfile ${extensions} -out ${name}.pem`,
    );
  openssl(folder, 'req -x509 -newkey rsa:2048 -nodes -keyout root.key -out root.pem -subj /CN=Root');
  request('issuer', '/CN=Issuer of passes');
  issue('issuer', 'root', 'ca.cnf');
  request('pass', `/UID=${PASS_TYPE}/CN=Pass Type ID: ${PASS_TYPE}/OU=${TEAM}/O=Handstamp/C=US`);
  issue('pass', 'issuer', 'leaf.cnf');
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return {
    /** Where `root.pem` is. */
    folder,
    pem: ['pass.pem', 'pass.key', 'issuer.pem'].map(read).join(''),
    pemWithoutIssuer: ['pass.pem', 'pass.key'].map(read).join(''),
    pemOfOtherKey: ['pass.pem', 'issuer.key', 'issuer.pem'].map(read).join(''),
  };
}

export function makeGoogleKeys() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    publicKey,
    json: JSON.stringify({ type: 'service_account', client_email: SERVICE_ACCOUNT, private_key: key }),
  };
}
