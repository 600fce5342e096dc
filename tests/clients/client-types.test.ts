/** The types of the client are those of the contract: a program that asks for what no longer exists does not compile. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiDocument } from '#server/main/api/api-document.ts';
import { clientTypes } from '../../clients/typescript/generate.ts';
import { repository } from '../house/planted-tree.ts';

const CLIENT = join(repository, 'clients/typescript');
const PROGRAM = `import { createHandstamp } from './src/client.ts';
const handstamp = createHandstamp({ url: 'https://tickets.example', key: 'hs_live_x' });
for await (const { id, title, tickets_sold } of handstamp.each('/events')) {
  const sold: number = tickets_sold;
  for await (const { total_cents, lines } of handstamp.each('/orders', { event_id: id })) {
    const [{ quantity }] = lines as [(typeof lines)[number]];
    title.padEnd(total_cents + quantity + sold);
  }
}
await handstamp.post('/tickets/{ticket_id}/check_in', { ticket_id: 't', scan_id: 's' });
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handstamp-client-'));
  await cp(join(CLIENT, 'src'), join(folder, 'src'), { recursive: true });
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const { compilerOptions } = JSON.parse(await readFile(join(repository, 'tsconfig.base.json'), 'utf8')) as {
    compilerOptions: object;
  };
  const options = { ...compilerOptions, lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'] };
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }));
});
afterAll(() => rm(folder, { recursive: true }));

/** What the compiler says of a program that uses a client of this description. */
async function compile(program: string, document: object): Promise<string> {
  await writeFile(join(folder, 'src/api.gen.ts'), await clientTypes(document));
  await writeFile(join(folder, 'program.ts'), program);
  return new Promise((resolve) => {
    execFile(join(repository, 'node_modules/.bin/tsc'), ['-p', folder], (_error, stdout) => resolve(stdout.trim()));
  });
}

/** The description with one text in place of another. */
function renamed(from: string, to: string): object {
  const before = JSON.stringify(apiDocument('https://tickets.example'));
  const after = before.replaceAll(from, to);
  if (after === before) throw new Error(`the description does not contain ${from}`);
  return JSON.parse(after) as object;
}

describe('The types of the client', () => {
  it('are generated from the contract: run node scripts/api-document.mjs [API-11]', async () => {
    const written = await readFile(join(CLIENT, 'src/api.gen.ts'), 'utf8');

    expect(written).toBe(await clientTypes(apiDocument('https://tickets.example')));
  });

  it('let a program compile that uses them', async () => {
    expect(await compile(PROGRAM, apiDocument('https://tickets.example'))).toBe('');
  });

  it.each([
    ['another name of a field', '"tickets_sold"', '"sold"', "Property 'tickets_sold' does not exist"],
    ['another path', '"/tickets/{ticket_id}/check_in"', '"/tickets/{ticket_id}/admit"', '/check_in'],
    ['another name of an input', '"scan_id"', '"scan"', "'scan_id' does not exist"],
  ])('fail the same program after %s', async (_case, from, to, problem) => {
    const found = await compile(PROGRAM, renamed(from, to));

    expect(found).toContain('program.ts');
    expect(found).toContain(problem);
  });
});
