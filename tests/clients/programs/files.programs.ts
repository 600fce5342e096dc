/** Files of an event, read by programs of accountants, in a spreadsheet and in a calendar. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventFile } from '#contract/app/records/event-files.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { type Journal, journalOf } from '#tests/support/journal.ts';
import { buyTickets, codesOf, eventOnSale, expectOk, generalAdmission, goodCard } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { repository } from '../../house/planted-tree.ts';

const exec = promisify(execFile);

let app: TestApp;
let event: Awaited<ReturnType<typeof eventOnSale>>;
let journal: Journal;
let folder: string;
withTestApp((opened) => {
  app = opened;
});
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handstamp-programs-'));
  event = await eventOnSale(app);
  const { eventId } = event;
  const order = await buyTickets(app, eventId, generalAdmission(3), 'sam@example.com', { ...goodCard, name: '=1+1' });
  expectOk(await event.visitor.call(requestRefund, { eventId, confirmationCode: codesOf(order)[0] ?? '' }));
  await app.advance({ minutes: 2 });
  await app.settle();
  journal = await journalOf(event);
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

/** In cents, by account, without those at zero. */
function balancesOf({ entries }: Journal): Record<string, number> {
  const balances = new Map<string, number>();
  for (const { account, cents } of entries) balances.set(account, (balances.get(account) ?? 0) + cents);
  return Object.fromEntries([...balances].filter(([, cents]) => cents !== 0));
}

const KHAL_TIMES =
  'timeformat = %H:%M\ndateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\ndatetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M\n';

const centsOf = (amount = '') => Math.round(Number(amount.replace('$', '')) * 100);

describe('A journal', () => {
  it('is read by hledger with the rules of the documentation [JOURNAL-1]', async () => {
    const file = await fileOf('journal.csv', journal.text);
    const rules = join(repository, 'docs/journal.rules');

    const { stdout } = await exec('hledger', [
      '-f',
      `csv:${file}`,
      '--rules-file',
      rules,
      'balance',
      '--flat',
      '-O',
      'csv',
    ]);
    const all: { account: string; balance: string }[] = parse(stdout, { columns: true });
    const rows = all.filter(({ account }) => account !== 'total');

    expect(Object.keys(balancesOf(journal)).length).toBeGreaterThan(1);
    expect(Object.fromEntries(rows.map(({ account, balance }) => [account, centsOf(balance)]))).toEqual(
      balancesOf(journal),
    );
  });

  it('is read by Beancount without its footer [JOURNAL-1]', async () => {
    const lines = journal.text.split('\r\n').filter((line) => /^\uFEFF?"(?:Record|entry)"/.test(line));
    const file = await fileOf('entries.csv', `${lines.join('\r\n')}\r\n`);

    const { stdout } = await exec('/usr/bin/python3', [join(import.meta.dirname, 'read-journal.py'), file]);
    const read = Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' '))
        .map(([account = '', amount]) => [account.toLowerCase(), centsOf(amount)]),
    );

    const expected = Object.entries(balancesOf(journal)).map(([name, cents]) => [name.replaceAll(/[- ]/g, ''), cents]);
    expect(Object.fromEntries(Object.entries(read).filter(([, cents]) => cents !== 0))).toEqual(
      Object.fromEntries(expected),
    );
  });
});

it('A name that looks like a formula is a text in a spreadsheet [REPORT-2]', async () => {
  const path = eventFile.path.replace(':eventId', event.eventId).replace(':kind', 'orders');
  const orders = await fileOf('orders.csv', await (await event.visitor.fetch(path)).text());
  const read = join(folder, 'read.csv');

  await exec('ssconvert', ['--import-type=Gnumeric_stf:stf_csvtab', orders, read]);

  const text = await readFile(read, 'utf8');
  // The apostrophe means text. A formula would be a 2 here.
  expect(text).toContain(',=1+1,sam@example.com,');
});

it('An event is an entry of a calendar [CAL-1]', async () => {
  const calendar = await fileOf(
    'event.ics',
    await (await fetch(`${app.publicUrl}/payment/${event.eventId}/event.ics`)).text(),
  );
  const { startsAt } = await app.db
    .selectFrom('events')
    .where('id', '=', event.eventId)
    .select('startsAt')
    .executeTakeFirstOrThrow();

  const config = await fileOf('khal.conf', `[calendars]\n[[home]]\npath = ${folder}\n[locale]\n${KHAL_TIMES}`);
  const { stdout } = await exec(
    'khal',
    ['--config', config, 'printics', '--format', '{start} {title} {location}', calendar],
    {
      env: { PATH: process.env['PATH'], HOME: folder, TZ: 'America/New_York', LANG: 'C.UTF-8' },
    },
  );

  const [day = '', time = ''] = localTimeOf(startsAt, 'America/New_York').split('T');
  expect(stdout).toContain(day);
  expect(stdout).toContain(`${time} Basement Brass 38 Withers St, Brooklyn`);
});
