/** The pages of a long guest list by name, their plan, and the list on paper. */
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guestPageEnds, guestRows, printedGuests } from '#contract/app/sales/guest-table.ts';
import { newId } from '#server/platform/ids.ts';
import { rowsOf } from '#tests/support/guest-rows.ts';
import { nameMany, sellMany } from '#tests/support/many-guests.ts';
import { eventOnSale, expectOk } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Seller = Awaited<ReturnType<typeof eventOnSale>>;

const endsOf = async ({ visitor, eventId }: Seller, page: { after: string; state?: 'not-yet' | 'checked-in' }) =>
  expectOk(await visitor.call(guestPageEnds, { eventId, ...page }));

describe('a long guest list by name', () => {
  const GUESTS = 1234;
  let seller: Seller;
  let first: string;
  let ends: string[];
  beforeAll(async () => {
    seller = await eventOnSale(app);
    await sellMany(app.db, seller.eventId, GUESTS);
    await nameMany(app.db, seller.eventId);
    first = (await rowsOf(seller)).at(-1)?.ticketId ?? '';
    ({ ends } = await endsOf(seller, { after: first }));
  });

  it('answers where the pages after the first one end, and any page in one call', async () => {
    expect(await endsOf(seller, { after: first })).toMatchObject({ ends: { length: 11 }, rows: GUESTS - 100 });
    const pages = [await rowsOf(seller)];
    for (const [page, after] of [first, ...ends].entries())
      pages.push(await rowsOf(seller, { after, ...(ends[page] && { until: ends[page] }) }));
    expect(pages.map((page) => page.length)).toEqual([...Array.from({ length: 12 }, () => 100), 34]);
    const keys = pages.flat().map(({ name, email }) => (name ?? email).toLowerCase());
    expect(keys).toEqual([...keys].sort());
    expect(new Set(pages.flat().map(({ ticketId }) => ticketId)).size).toBe(GUESTS);
  });

  it('ends the pages by what the filters let through', async () => {
    const [scanned = ''] = ends;
    await app.db
      .updateTable('tickets')
      .set({ state: 'scanned', scannedAt: new Date() })
      .where('eventId', '=', seller.eventId)
      .where('id', '=', scanned)
      .execute();
    expect(await endsOf(seller, { after: first, state: 'checked-in' })).toEqual({ ends: [], rows: 1 });
    expect(await endsOf(seller, { after: scanned, state: 'checked-in' })).toEqual({ ends: [], rows: 0 });
    const others = await endsOf(seller, { after: first, state: 'not-yet' });
    expect(others.rows).toBe(GUESTS - 101);
    expect(others.ends).not.toContain(scanned);
  });

  it('is printed by name without addresses, and those without one by their number [LIST-3]', async () => {
    const { visitor, eventId } = seller;
    const first = expectOk(await visitor.call(printedGuests, { eventId }));
    expect(first.guests).toHaveLength(1000);
    const last = expectOk(await visitor.call(printedGuests, { eventId, after: first.next ?? '' }));
    const all = [...first.guests, ...last.guests];
    expect(all).toHaveLength(GUESTS);
    expect(last.next).toBeNull();
    const named = all.filter(({ name }) => name !== null);
    expect(all.slice(0, named.length)).toEqual(named);
    expect(named.map(({ name }) => name)).toEqual(named.map(({ name }) => name).sort());
    const endings = all.slice(named.length).map(({ lastDigits }) => lastDigits);
    expect(endings).toEqual([...endings].sort());
    expect(JSON.stringify([first, last])).not.toContain('@');
  });

  it('keeps its pages apart while guests leave the list, those at the ends included', async () => {
    const [, start = '', end = ''] = ends;
    const { visitor, eventId } = seller;
    const page = { state: 'not-yet', after: start, until: end } as const;
    const before = (await rowsOf(seller, page)).map(({ ticketId }) => ticketId);
    const gone = [start, before[3] ?? '', end];
    await app.db
      .updateTable('tickets')
      .set({ state: 'scanned', scannedAt: new Date() })
      .where('eventId', '=', eventId)
      .where('id', 'in', gone)
      .execute();

    expect((await rowsOf(seller, page)).map(({ ticketId }) => ticketId)).toEqual(
      before.filter((id) => !gone.includes(id)),
    );
    // A place that the event doesn't have is none.
    expect(await rowsOf(seller, { after: newId() })).toHaveLength(200);
    const other = await eventOnSale(app);
    expect((await visitor.call(guestRows, { eventId: other.eventId })).status).toBe(404);
  });
});

describe('the plan of a page', () => {
  it('reads the tickets of the event once and keeps the first ones, even if statistics say that it has none', async () => {
    const { eventId } = await eventOnSale(app);
    await sql`analyze tickets, order_guests, orders`.execute(app.db);
    await sellMany(app.db, eventId, 3000);
    await nameMany(app.db, eventId);

    const plan = await planOf(sql`
      select ticket_id from listed_guests(${eventId}, 'ana', null, null, null, null, null, null, false)
       order by sort_key collate "C", ticket_id limit 100`);

    expect(plan).toMatch(/Sort Method: (?:top-N heapsort|quicksort)/);
    expect(plan).toContain('Hash');
    expect(plan).not.toMatch(/Nested Loop|Function Scan|Seq Scan on tickets/);
    expect(plan.match(/ on tickets t /g)).toHaveLength(1);
  });

  /** With the settings of `guest_list_page`, whose statement is hidden in its function. */
  const planOf = (statement: RawBuilder<unknown>) =>
    app.db.transaction().execute(async (tx) => {
      await sql`set local enable_nestloop = off`.execute(tx);
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (analyze) ${statement}`.execute(tx);
      return rows.map((row) => Object.values(row).join('')).join('\n');
    });
});
