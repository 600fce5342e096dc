/** The command `handstamp`, run as a person or a script runs it, against the product. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newApiKey } from '#tests/support/api-keys.ts';
import { freePort } from '#tests/support/free-port.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { buyTickets, eventOnSale, generalAdmission, goodCard } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { startReceiver, verify } from '#tests/support/webhook-receiver.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { repository } from '../house/planted-tree.ts';

const COMMAND = join(repository, 'clients/typescript/bin/handstamp.mjs');

let app: TestApp;
let eventId: string;
let visitor: Visitor;
let home: string;
let connected: Record<string, string>;
withTestApp((opened) => {
  app = opened;
});
beforeAll(async () => {
  ({ eventId, visitor } = await eventOnSale(app));
  await buyTickets(app, eventId, generalAdmission(2), 'sam@example.com', { ...goodCard, name: '=Sam "Brass"' });
  await buyTickets(app, eventId, generalAdmission(1));
  home = await mkdtemp(join(tmpdir(), 'handstamp-home-'));
  connected = { HANDSTAMP_URL: app.publicUrl, HANDSTAMP_KEY: await newApiKey(visitor) };
});
afterAll(() => rm(home, { recursive: true }));

interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** @param isRead false closes the reader before anything is written, as `head -0` does */
function run(args: string[], { env = connected, input = '', isRead = true } = {}): Promise<Run> {
  const child = spawn(process.execPath, [COMMAND, ...args], { env: { PATH: '', HOME: home, ...env } });
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString()));
  if (!isRead) child.stdout.destroy();
  child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString()));
  child.stdin.end(input);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...printed })));
}

const json = async (...args: string[]) =>
  JSON.parse((await run([...args, '--json'])).stdout) as Record<string, string>[];

/** A request whose sender hangs up. */
async function sendHalf(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await new Promise<void>((sent) => {
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{', () => sent());
  });
  socket.destroy();
}

describe('handstamp', () => {
  it('lists events as a table, without colors where it is no terminal [API-11]', async () => {
    const { code, stdout, stderr } = await run(['events', 'list']);
    const [heading, event] = stdout.split('\n');

    expect(code).toBe(0);
    expect(heading).toMatch(/^ID +STARTS +STATUS +SOLD +TITLE$/);
    expect(event).toMatch(new RegExp(`^${eventId}  .*  3/110 +Basement Brass$`));
    expect(stdout + stderr).not.toContain('\u001b');
  });

  it('lists orders and tickets of an event, and shows one', async () => {
    const orders = await json('orders', 'list', '--event', eventId);
    const tickets = await json('tickets', 'list', '--event', eventId, '--order', orders[0]?.['id'] ?? '');
    const shown = await run(['orders', 'show', orders[0]?.['id'] ?? '']);

    expect([orders.length, tickets.length]).toEqual([2, 2]);
    expect(shown.stdout).toMatch(/^buyer\.email +sam@example\.com$/m);
    expect(await json('tickets', 'list', '--limit', '1')).toHaveLength(1);
    expect(await json('events', 'show', eventId)).toMatchObject({ id: eventId, tickets_sold: 3 });
  });

  it('checks a guest in once, and says so with its exit code', async () => {
    const [{ id = '' } = {}] = await json('tickets', 'list');

    const first = await run(['check-in', id]);
    // A scanner that fires twice gets the first answer again.
    await app.advance({ minutes: 1 });
    const second = await run(['check-in', id]);

    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^result +admitted$/m) });
    expect(second).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining('check-in.already-in') });
  });

  it('answers a scan that is sent again as the first time', async () => {
    const [, { id = '' } = {}] = await json('tickets', 'list');
    const scan = ['check-in', id, '--scan-id', '0b6f7c3e-5f0c-4b0e-9b5e-1c1f6f1f9a11'];

    const first = await run(scan);
    await app.advance({ minutes: 1 });

    expect([first, await run(scan)]).toMatchObject([{ code: 0 }, { code: 0 }]);
  });

  it('exports CSV that a spreadsheet reads as text, with the count on standard error', async () => {
    const { code, stdout, stderr } = await run(['export', 'orders', '--event', eventId]);
    const rows = parse(stdout, { bom: true, columns: true }) as Record<string, string>[];

    expect({ code, stderr }).toEqual({ code: 0, stderr: '2 orders\n' });
    expect(rows.map(({ tickets, total_cents, buyer_name }) => [tickets, total_cents, buyer_name])).toEqual([
      ['2', '4800', `'=Sam "Brass"`],
      ['1', '2400', 'Sam Buyer'],
    ]);
  });

  it('exports JSON as the API has it, to a file', async () => {
    const file = join(home, 'tickets.json');

    const { code, stdout } = await run(['export', 'tickets', '--format', 'json', '--output', file]);

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(await json('tickets', 'list'));
  });

  it.each([
    ['a list', ['tickets', 'list']],
    ['an export', ['export', 'tickets']],
    ['the help', ['--help']],
  ])('stops without a complaint when its reader has enough of %s', async (_case, args) => {
    expect(await run(args, { isRead: false })).toMatchObject({ code: 0, stderr: '' });
  });

  it('fails when the disk is full', async () => {
    const outcome = await run(['export', 'orders', '--output', '/dev/full']);

    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(/^ENOSPC/) });
  });

  it('remembers a key that is typed, readable for its user only, and forgets it', async () => {
    const key = connected['HANDSTAMP_KEY'] ?? '';
    const alone = { env: {}, input: `${key}\n` };

    const login = await run(['login', '--url', app.publicUrl], alone);
    const file = join(home, '.config/handstamp/connection.json');
    const { mode } = await stat(file);
    const listed = await run(['events', 'list'], { env: {} });
    const who = await run(['whoami'], { env: {} });
    await run(['logout'], { env: {} });

    expect(login).toMatchObject({ code: 0, stderr: expect.stringContaining(file) });
    expect(login.stdout + login.stderr).not.toContain(key);
    expect((mode & 0o777).toString(8)).toBe('600');
    expect([listed.code, who.code]).toEqual([0, 0]);
    expect(who.stdout).toMatch(/^key\.scopes\.1 +events:read$/m);
    expect(await run(['events', 'list'], { env: {} })).toMatchObject({ code: 3 });
  });

  it('shows webhooks as they come, until it is interrupted', async () => {
    const seen: string[] = [];
    const program = await startReceiver(() => ({ status: 202 }));
    const child = spawn(
      process.execPath,
      [COMMAND, 'webhooks', 'listen', '--json', '--port', '0', '--event', eventId, '--forward-to', program.url],
      { env: { PATH: '', HOME: home, ...connected } },
    );
    const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    createInterface(child.stdout).on('line', (line) => seen.push(line));
    await expect.poll(() => said).toContain('Listening on port');
    const [{ url = '' } = {}] = await json('webhooks', 'list');

    const forged = await fetch(url, { method: 'POST', body: '{"type":"order.paid"}' });
    const tooLong = await fetch(url, { method: 'POST', body: 'x'.repeat(1_000_001) });
    await sendHalf(url);
    await buyTickets(app, eventId, generalAdmission(1), 'late@example.com');
    await expect.poll(() => seen).toHaveLength(1);
    child.kill('SIGINT');

    expect(await closed).toBe(0);
    expect([forged.status, tooLong.status]).toEqual([400, 413]);
    expect(JSON.parse(seen[0] ?? '')).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      type: 'order.paid',
      data: { buyer: { email: 'late@example.com' } },
    });
    const [secret = ''] = /whsec_\S+/.exec(said) ?? [];
    expect(program.received.map((one) => verify(secret, one))).toEqual([
      expect.objectContaining({ type: 'order.paid' }),
    ]);
    expect((await json('webhooks', 'list')).map(({ state }) => state)).toEqual(['ended']);
    await program.close();
  });

  it.each([
    ['a wrong command', ['event', 'list'], {}, 2],
    ['an option that there is not', ['events', 'list', '--yaml'], {}, 2],
    ['a format that there is not', ['export', 'orders', '--format', 'xml'], {}, 2],
    ['a port that there is not', ['webhooks', 'listen', '--port', '70000'], {}, 2],
    ['a type that there is not', ['webhooks', 'listen', '--port', '0', '--types', 'order.made'], {}, 1],
    ['a count below 1', ['events', 'list', '--limit', '0'], {}, 2],
    ['no key', ['events', 'list'], { HANDSTAMP_KEY: '' }, 3],
    ['a wrong key', ['events', 'list'], { HANDSTAMP_KEY: 'hs_test_none' }, 3],
    ['an event that there is not', ['events', 'show', 'none'], {}, 4],
    ['a folder that there is not', ['export', 'orders', '--output', '/nowhere/orders.csv'], {}, 1],
  ])('explains %s on standard error', async (_case, args, env, code) => {
    const outcome = await run(args, { env: { ...connected, ...env } });

    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(outcome.stderr).toMatch(/^\S.*\n/);
    expect(outcome.stderr).not.toMatch(/^ +at /m);
  });

  it('says that the server is unreachable', async () => {
    const env = { ...connected, HANDSTAMP_URL: `http://127.0.0.1:${await freePort()}` };

    expect(await run(['check-in', 'any'], { env })).toMatchObject({ code: 6, stdout: '' });
  });

  it('lists its commands and exit codes', async () => {
    const { code, stdout } = await run(['--help']);

    expect(code).toBe(0);
    for (const name of ['events', 'orders', 'tickets', 'check-in', 'webhooks', 'export', 'login', 'whoami'])
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(stdout).toContain('Exit codes:');
  });
});
