/** What the guides for programs say to type, typed. */
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testWebhook, webhookDeliveries } from '#contract/app/programs/webhooks.ts';
import { newApiKey } from '#tests/support/api-keys.ts';
import { freePort } from '#tests/support/free-port.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { buyTickets, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { newWebhook } from '#tests/support/webhook-receiver.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { repository } from '../house/planted-tree.ts';

const exec = promisify(execFile);
const CLIENT = join(repository, 'clients/typescript');
const NODE = dirname(process.execPath);

let app: TestApp;
let key: string;
let eventId: string;
let visitor: Visitor;
let folder: string;
withTestApp((opened) => {
  app = opened;
});
beforeAll(async () => {
  const event = await eventOnSale(app);
  ({ eventId, visitor } = event);
  await buyTickets(app, eventId, generalAdmission(2));
  key = await newApiKey(visitor);
  folder = await mkdtemp(join(tmpdir(), 'handstamp-guide-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function blocksOf(path: string, language: string): Promise<string[]> {
  const text = await readFile(join(repository, path), 'utf8');
  const blocks = text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([^]*?)^ *\`\`\`$`, 'gm'));
  return [...blocks].map(([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}

describe('docs/api.md', () => {
  it('leads from a key to the first answer, to the letter [API-10 API-11]', async () => {
    const blocks = await blocksOf('docs/api.md', 'sh');
    const script = blocks
      .join('\n')
      .replace('https://tickets.example', app.publicUrl)
      .replace('hs_live_...', key)
      .replaceAll(/\bcurl /g, 'curl --fail-with-body --silent ')
      .replace('tickets.csv', join(folder, 'tickets.csv'));
    const env = { ...process.env, PATH: `${NODE}:${process.env['PATH']}`, HOME: folder, EVENT_ID: eventId };

    const { stdout } = await exec('/bin/sh', ['-euc', script], { cwd: repository, env });

    expect(blocks.length).toBe(3);
    expect(stdout).toContain('"code":"BRASS20"');
    expect(stdout).toContain(`"id":"${eventId}"`);
    expect(stdout).toMatch(new RegExp(`^${eventId} .*Basement Brass$`, 'm'));
    expect((await stat(join(folder, 'tickets.csv'))).size).toBeGreaterThan(200);
  });

  it('leads to the first webhook, to the letter [HOOK-2 HOOK-4]', async () => {
    const [program = ''] = await blocksOf('docs/api.md', 'js');
    const port = await freePort();
    const home = await mkdtemp(join(folder, 'receiver-'));
    await mkdir(join(home, 'node_modules'));
    await symlink(join(repository, 'node_modules/standardwebhooks'), join(home, 'node_modules/standardwebhooks'));
    await writeFile(join(home, 'receiver.mjs'), program.replace('8080', String(port)));
    const url = `http://127.0.0.1:${port}`;
    const { endpointId, secret } = await newWebhook(visitor, { url });

    const receiver = spawn(process.execPath, [join(home, 'receiver.mjs')], { env: { WEBHOOK_SECRET: secret } });
    let printed = '';
    for (const stream of [receiver.stdout, receiver.stderr])
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    try {
      const statusOf = () =>
        fetch(url, { method: 'POST', body: '{}' }).then(
          ({ status }) => status,
          () => null,
        );
      // Not signed.
      await expect.poll(statusOf).toBe(400);
      expectOk(await visitor.call(testWebhook, { endpointId }));
      await expect.poll(() => printed).toContain(endpointId);
      const answers = async () =>
        expectOk(await visitor.call(webhookDeliveries, { endpointId })).deliveries.map(({ type, answerStatus }) => [
          type,
          answerStatus,
        ]);
      await expect.poll(answers).toEqual([['webhook.test', 204]]);
    } finally {
      receiver.kill();
    }

    expect(printed).toMatch(/^webhook\.test \{/);
  });
});

describe('The package of the client', () => {
  let installed: string;
  beforeAll(async () => {
    const npm = process.env['npm_execpath'];
    const pack = ['pack', '--json', '--workspace=@handstamp/client', `--pack-destination=${folder}`];
    const [program, args] = npm ? [process.execPath, [npm, ...pack]] : ['npm', pack];
    await exec(program, args, { cwd: repository });
    installed = join(folder, 'node_modules/@handstamp/client');
    await exec('mkdir', ['-p', installed]);
    const { version } = JSON.parse(await readFile(join(CLIENT, 'package.json'), 'utf8')) as { version: string };
    await exec('tar', [
      '-xzf',
      join(folder, `handstamp-client-${version}.tgz`),
      '-C',
      installed,
      '--strip-components=1',
    ]);
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'standardwebhooks', '@types'])
      await symlink(join(repository, 'node_modules', name), join(folder, 'node_modules', name));
    await symlink(join(CLIENT, 'node_modules/commander'), join(folder, 'node_modules/commander'));
  });

  it("runs the README's example, which compiles [API-11]", async () => {
    const [example = ''] = await blocksOf('clients/typescript/README.md', 'ts');
    const compilerOptions = { module: 'nodenext', target: 'es2024', strict: true, noEmit: true, types: ['node'] };
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'example.ts'), example);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['example.ts'] }));
    const env = { HANDSTAMP_URL: app.publicUrl, HANDSTAMP_KEY: key };

    await exec(join(repository, 'node_modules/.bin/tsc'), ['-p', folder]);
    const { stdout } = await exec(process.execPath, ['example.ts'], { cwd: folder, env });

    expect(stdout).toMatch(/^Basement Brass 2 of 110 sold\n(\S+ admitted\n){2}$/);
  });

  it('has the command, the license and the version of the product, and no sources', async () => {
    const { stdout } = await exec(process.execPath, [join(installed, 'bin/handstamp.mjs'), '--version']);
    const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as { version: string };

    expect(stdout.trim()).toBe(version);
    expect(await readFile(join(installed, 'LICENSE'), 'utf8')).toContain('Apache License');
    await expect(stat(join(installed, 'src'))).rejects.toThrow();
  });
});
