/** Guests at no charge, from a file. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { comps } from '#contract/app/sales/comps.ts';
import { importGuests } from '#contract/app/sales/import-guests.ts';
import { IMPORT_BYTES_MAX, IMPORT_ROWS_MAX } from '#domain/limits.ts';
import { issueComps } from '#server/orders/core/comps.sql.ts';
import { inTransaction } from '#server/platform/database.ts';
import { importFile } from '#tests/support/comps.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { reservedOf } from '#tests/support/money.ts';
import { emailsTo, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { raceForLock } from '#tests/support/race.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { issueImport } from './issue-import.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Event = Awaited<ReturnType<typeof eventOnSale>>;

const type = (ticketName: string, ticketQuantity: number) => ({
  ticketName,
  ticketDescription: 'A ticket',
  ticketPrice: 24,
  ticketQuantity,
});

const eventWith = (...types: [name: string, quantity: number][]) =>
  eventOnSale(app, { tickets: types.map(([name, quantity]) => type(name, quantity)) });

const file = (...lines: string[]) => ['Email,Ticket type,Quantity', ...lines].join('\n');

const rowsOf = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${name}-${index}@example.com,General admission,1`);

const countOf = async ({ eventId }: Event) => {
  const { rows } = await sql<{ tickets: number; emails: number; imports: number }>`
    select (select count(*)::int from tickets where event_id = ${eventId}) as tickets,
           (select count(*)::int from orders o join email_outbox m on m.kind = 'tickets' and m.subject_id = o.id::text
             where o.event_id = ${eventId}) as emails,
           (select count(*)::int from comp_batches where event_id = ${eventId} and completed_at is not null) as imports`.execute(
    app.db,
  );
  return rows[0];
};

const preview = async (event: Event, csv: string | Uint8Array, input: Parameters<typeof importFile>[2] = {}) =>
  expectOk(await importFile(event, csv, { ...input, dryRun: '1' }));

const unnamed = { name: null, doorNote: null };

describe('the preview of a file of guests [COMP-2]', () => {
  it('says who would be added, and adds no one', async () => {
    const event = await eventWith(['General admission', 10], ['VIP', 2]);
    const csv = file('ada@example.com,vip,2', '', '"kim@example.com",General admission,', ' lee@example.com , VIP ,3');
    expect(await preview(event, csv)).toEqual({
      isImported: false,
      headings: ['Email', 'Ticket type', 'Quantity'],
      columns: { email: 0, type: 1, quantity: 2, name: null, note: null },
      guests: 3,
      tickets: 6,
      unaddressed: 0,
      sample: [
        { email: 'ada@example.com', ...unnamed, ticketName: 'VIP', quantity: 2 },
        { email: 'kim@example.com', ...unnamed, ticketName: 'General admission', quantity: 1 },
        { email: 'lee@example.com', ...unnamed, ticketName: 'VIP', quantity: 3 },
      ],
      problems: [],
      short: [{ ticketName: 'VIP', wanted: 5, left: 2 }],
    });
    expect(await countOf(event)).toEqual({ tickets: 0, emails: 0, imports: 0 });
    expect(await reservedOf(app, event.eventId)).toBe(0);
  });

  it('names every row that has a problem, by the number that a spreadsheet shows', async () => {
    const event = await eventWith(['General admission', 10]);
    const csv = file(
      'ada@example.com,,1',
      'nobody,General admission,1',
      '',
      ',Balcony,0',
      'kim@example.com,General admission,1.5',
    );
    const { problems, guests } = await preview(event, csv);
    expect(guests).toBe(0);
    expect(problems).toEqual([
      { row: 2, reason: 'type', value: '' },
      { row: 3, reason: 'email', value: 'nobody' },
      { row: 5, reason: 'email', value: '' },
      { row: 5, reason: 'type', value: 'Balcony' },
      { row: 5, reason: 'quantity', value: '0' },
      { row: 6, reason: 'quantity', value: '1.5' },
    ]);
  });

  it('reads the columns that the organizer chooses, and a type for rows without one', async () => {
    const event = await eventWith(['General admission', 10], ['VIP', 5]);
    const [, vip] = await app.db
      .selectFrom('ticketTypes')
      .where('eventId', '=', event.eventId)
      .select('id')
      .orderBy('position')
      .execute();
    const csv = 'Who;Contact;Seats\r\nAda;ada@example.com;2\r\n';
    expect(await preview(event, csv)).toMatchObject({
      columns: { email: null, type: null, quantity: null },
      guests: 0,
    });
    const chosen = { emailColumn: '1', quantityColumn: '2', ticketId: vip?.id ?? '' };
    expect(await preview(event, csv, chosen)).toMatchObject({
      headings: ['Who', 'Contact', 'Seats'],
      sample: [{ email: 'ada@example.com', ticketName: 'VIP', quantity: 2 }],
    });
    expect((await importFile(event, csv)).body).toMatchObject({ code: 'import.no-guest-column' });
  });

  it('reads names and door notes, of guests with and without an address [COMP-1]', async () => {
    const event = await eventWith(['General admission', 10]);
    const long = 'x'.repeat(201);
    const csv = [
      'Name,Email,Ticket type,Door note',
      'Ada Lovelace,,General admission,Front row',
      ',kim@example.com,General admission,',
      `${long},,General admission,`,
      `,,General admission,${long}`,
    ].join('\n');
    const { columns, sample, problems, unaddressed } = await preview(event, csv);
    expect(columns).toEqual({ email: 1, type: 2, quantity: null, name: 0, note: 3 });
    expect(sample).toMatchObject([
      { email: null, name: 'Ada Lovelace', doorNote: 'Front row' },
      { email: 'kim@example.com', ...unnamed },
    ]);
    expect(unaddressed).toBe(1);
    expect(problems.map(({ row, reason }) => [row, reason])).toEqual([
      [4, 'email'],
      [4, 'name'],
      [5, 'email'],
      [5, 'note'],
    ]);

    expectOk(await importFile(event, csv.split('\n').slice(0, 3).join('\n')));
    await app.settle();
    expect(await countOf(event)).toEqual({ tickets: 2, emails: 1, imports: 1 });
    const list = expectOk(await event.visitor.call(comps, { eventId: event.eventId })).comps;
    expect(list.map(({ name, email, doorNote }) => ({ name, email, doorNote }))).toEqual(
      expect.arrayContaining([
        { name: 'Ada Lovelace', email: null, doorNote: 'Front row' },
        { ...unnamed, email: 'kim@example.com' },
      ]),
    );
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('reads commas, semicolons, tabs, quotes and the mark that Excel writes', async () => {
    const event = await eventWith(['General admission', 10]);
    const types = app.db.selectFrom('ticketTypes').where('eventId', '=', event.eventId);
    const type = await types.select('id').executeTakeFirst();
    for (const csv of [
      '\uFEFFemail\tqty\nada@example.com\t2',
      'EMAIL;Tickets\nada@example.com;2',
      '"Email address","Quantity","Note"\r\n"ada@example.com","2","a ""quoted"" note,\nof two lines"\r\n',
    ]) {
      expect((await preview(event, csv, { ticketId: type?.id ?? '' })).sample).toMatchObject([
        { email: 'ada@example.com', quantity: 2 },
      ]);
    }
  });

  it.each([
    ['', 400, 'import.empty'],
    ['Email\n\n', 400, 'import.empty'],
    [new Uint8Array([0x45, 0xff, 0xfe]), 400, 'import.not-utf8'],
    ['Email\n"open', 400, 'import.unreadable'],
    [`Email\n${'a@example.com\n'.repeat(IMPORT_ROWS_MAX + 1)}`, 400, 'import.too-many-rows'],
    [`${'x,'.repeat(60)}\na@example.com`, 400, 'import.too-many-columns'],
    [`Email\n${'x'.repeat(IMPORT_BYTES_MAX)}`, 413, 'import.too-large'],
  ] as const)('denies %.20j', async (csv, status, code) => {
    const event = await eventWith(['General admission', 10]);
    expect(await importFile(event, csv, { dryRun: '1' })).toMatchObject({ status, body: { code } });
  });
});

it('denies a form without a file', async () => {
  const { visitor, eventId } = await eventWith(['General admission', 10]);
  const body = new FormData();
  body.append('importId', randomUUID());
  const path = importGuests.path.replace(':eventId', eventId);
  expect(await visitor.request(path, { method: 'POST', body })).toMatchObject({
    status: 400,
    body: errorBody('import.no-file'),
  });
});

describe('an import [COMP-2]', () => {
  it('of 1,000 guests, sent three times to a server that crashes twice, is one', async () => {
    const event = await eventWith(['General admission', 1_000]);
    await app.endJobs();
    const csv = file(...rowsOf(1_000, 'thousand'));
    const importId = randomUUID();
    const { eventId } = event;
    const replies = await raceForLock(
      app,
      sql`select from events where id = ${eventId} for update`,
      Array.from({ length: 3 }, () => () => importFile(event, csv, { importId })),
    );
    for (const reply of replies) expect(expectOk(reply)).toMatchObject({ isImported: true, tickets: 1_000 });
    expect(await reservedOf(app, eventId)).toBe(1_000);

    const batch = { eventId, id: importId, limit: 200, at: app.now() };
    // After the first commit, and within the second.
    await inTransaction(app.db, (tx) => issueComps(tx, batch));
    const crash = inTransaction(app.db, async (tx) => {
      await issueComps(tx, batch);
      throw new Error('crash');
    });
    await expect(crash).rejects.toThrow('crash');
    expect(await countOf(event)).toEqual({ tickets: 200, emails: 200, imports: 0 });
    expect(expectOk(await event.visitor.call(comps, { eventId }))).toMatchObject({ count: 200, isImporting: true });
    await app.restartJobs();
    await app.settle();
    await issueImport(app.deps, { eventId, batchId: importId });

    expect(await countOf(event)).toEqual({ tickets: 1_000, emails: 1_000, imports: 1 });
    expect(await emailsTo(app, 'thousand-999@example.com')).toHaveLength(1);
    expect(expectOk(await event.visitor.call(comps, { eventId }))).toMatchObject({ count: 1_000, isImporting: false });
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('with one bad row adds no one', async () => {
    const event = await eventWith(['General admission', 10]);
    const csv = file(...rowsOf(2, 'good'), 'bad,General admission,1', ',General admission,1');
    expect(await importFile(event, csv)).toMatchObject({
      status: 400,
      body: errorBody('import.invalid-rows', { row: 4, reason: 'email', value: 'bad', count: 2 }),
    });
    expect(await countOf(event)).toMatchObject({ tickets: 0 });
  });

  it('with one ticket too few adds no one, unless the quantity is raised', async () => {
    const event = await eventWith(['General admission', 10], ['VIP', 1]);
    const csv = file(...rowsOf(9, 'enough'), 'a@example.com,VIP,1', 'b@example.com,VIP,1');
    const tooFew = errorBody('comp.too-few-left', { name: 'VIP', left: 1 });
    expect(await importFile(event, csv)).toMatchObject({ status: 409, body: tooFew });
    expect(await reservedOf(app, event.eventId)).toBe(0);
    expectOk(await importFile(event, csv, { raisesQuantity: '1' }));
    await app.settle();
    expect(await countOf(event)).toEqual({ tickets: 11, emails: 11, imports: 1 });
  });

  it('holds its tickets before they are issued', async () => {
    const event = await eventWith(['General admission', 5]);
    await app.endJobs();
    expectOk(await importFile(event, file(...rowsOf(5, 'held'))));
    const sale = { eventId: event.eventId, cartItems: generalAdmission(1) };
    expect((await app.call(createCheckoutSession, sale)).status).toBe(409);
    await app.restartJobs();
    await app.settle();
    expect(await countOf(event)).toMatchObject({ tickets: 5 });
  });

  it('is denied under the id of another file', async () => {
    const event = await eventWith(['General admission', 10]);
    const importId = randomUUID();
    expectOk(await importFile(event, file(...rowsOf(2, 'first')), { importId }));
    expect(await importFile(event, file(...rowsOf(2, 'second')), { importId })).toMatchObject({
      status: 409,
      body: errorBody('import.id-used'),
    });
    await app.settle();
    expect(await countOf(event)).toMatchObject({ tickets: 2 });
  });

  it('ends with its event, and releases what was not issued', async () => {
    const event = await eventWith(['General admission', 300]);
    const { eventId } = event;
    const importId = randomUUID();
    await app.endJobs();
    expectOk(await importFile(event, file(...rowsOf(300, 'stopped')), { importId }));
    await inTransaction(app.db, (tx) => issueComps(tx, { eventId, id: importId, limit: 200, at: app.now() }));
    expectOk(await event.visitor.call(cancelEvent, { eventId }));
    await app.restartJobs();
    await app.settle();
    expect(await reservedOf(app, eventId)).toBe(0);
    expect(await countOf(event)).toMatchObject({ tickets: 200 });
    expect(await brokenInvariants(app.db)).toEqual([]);
  });
});
