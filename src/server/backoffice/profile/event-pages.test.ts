import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { cancelEvent, createEvent, eventPage } from '#contract/app/events.ts';
import { EVENTS_PER_PAGE } from '#domain/limits.ts';
import { newEventId, newId } from '#server/platform/ids.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { buyTickets, eventForm, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Seller = Awaited<ReturnType<typeof eventOnSale>>;

/** Copies the event, each copy a minute newer. Returns their ids, newest first. */
async function addEvents({ eventId }: Seller, count: number, endsAt: Date): Promise<string[]> {
  const {
    latestStartsAt: _latestStart,
    latestEndsAt: _latestEnd,
    pausedSales: _pausedSales,
    isPublished: _isPublished,
    ...event
  } = await app.db.selectFrom('events').where('id', '=', eventId).selectAll().executeTakeFirstOrThrow();
  const copies = Array.from({ length: count }, (_, index) => ({
    ...event,
    id: newEventId(),
    recordId: newId(),
    feeTerms: JSON.stringify(event.feeTerms),
    startsAt: endsAt,
    endsAt,
    createdAt: new Date(event.createdAt.getTime() + (index + 1) * 60_000),
  }));
  await app.db.insertInto('events').values(copies).execute();
  const stored = await app.db.selectFrom('ticketTypes').where('eventId', '=', eventId).selectAll().execute();
  const types = copies.flatMap(({ id }) =>
    stored.map(({ available: _available, ...type }) => ({ ...type, eventId: id, id: newId() })),
  );
  await app.db.insertInto('ticketTypes').values(types).execute();
  return copies.map(({ id }) => id).reverse();
}

const PAST = new Date('2026-01-01T00:00:00Z');

async function everyPage({ visitor }: Seller): Promise<string[][]> {
  const first = expectOk(await visitor.call(profile, {}));
  const pages = [first.events.map(({ eventId }) => eventId)];
  for (let after = first.eventsNext; after !== null; ) {
    const page = expectOk(await visitor.call(eventPage, { after }));
    pages.push(page.events.map(({ eventId }) => eventId));
    after = page.eventsNext;
  }
  return pages;
}

describe('the events of a profile', () => {
  it('come 20 at a time, active ones first, and page to the last of 500 [LIFE-10]', async () => {
    const seller = await eventOnSale(app);
    const past = await addEvents(seller, 499, PAST);

    const pages = await everyPage(seller);
    const text = await (await seller.visitor.fetch(profile.path)).text();

    expect(pages.map((page) => page.length)).toEqual(Array.from({ length: 25 }, () => EVENTS_PER_PAGE));
    expect(pages.flat()).toEqual([seller.eventId, ...past]);
    expect(text.length).toBeLessThan(200_000);
  });

  it('begin with a new event, however many have ended since', async () => {
    const seller = await eventOnSale(app);
    await addEvents(seller, 30, PAST);

    const created = expectOk(await seller.visitor.call(createEvent, eventForm(app, { title: 'Just made' })));
    const first = expectOk(await seller.visitor.call(profile, {}));

    expect(first.events.slice(0, 2).map(({ eventId }) => eventId)).toEqual([created.eventId, seller.eventId]);
  });

  it('are each on a page when one ends between two pages', async () => {
    const seller = await eventOnSale(app);
    const active = await addEvents(seller, 24, new Date('2027-06-01T00:00:00Z'));
    const first = expectOk(await seller.visitor.call(profile, {}));

    const last = first.events.at(-1)?.eventId ?? '';
    expectOk(await seller.visitor.call(cancelEvent, { eventId: last }));
    const second = expectOk(await seller.visitor.call(eventPage, { after: first.eventsNext ?? '' }));

    expect(second.events.map(({ eventId }) => eventId)).toEqual([...active.slice(20), seller.eventId, last]);
  });

  it('are counted together in the totals, also those of further pages [LIFE-10]', async () => {
    const seller = await eventOnSale(app);
    await buyTickets(app, seller.eventId, generalAdmission(3));
    await addEvents(seller, 20, PAST);
    await app.db
      .updateTable('events')
      .set({ createdAt: PAST, startsAt: PAST, endsAt: PAST })
      .where('id', '=', seller.eventId)
      .execute();

    const { events, sales } = expectOk(await seller.visitor.call(profile, {}));

    expect(events.map(({ eventId }) => eventId)).not.toContain(seller.eventId);
    expect(sales).toEqual({ ticketsOffered: 21 * 110, ticketsSold: 3, ticketsToScan: 3, ticketsScanned: 0, gross: 72 });
    expect((await brokenInvariants(app.db)).filter((line) => line.startsWith('ticket-totals'))).toEqual([]);
  });

  it('of another organization are on no page, and as a cursor look like an unknown event', async () => {
    const [mine, theirs] = [await eventOnSale(app), await eventOnSale(app)];
    await addEvents(mine, 3, PAST);

    const foreign = await mine.visitor.call(eventPage, { after: `active.${theirs.eventId}` });
    const unknown = await mine.visitor.call(eventPage, { after: `active.${newEventId()}` });

    expect(foreign.body).toEqual(unknown.body);
    expect(foreign.body.events.map(({ eventId }) => eventId)).not.toContain(theirs.eventId);
  });

  it.each(['', 'x', 'active', 'old.abcdefghijklmnop', `past.${'a'.repeat(17)}`])(
    'have no page after %j',
    async (after) => {
      const { visitor } = await eventOnSale(app);

      expect((await visitor.call(eventPage, { after })).status).toBe(400);
    },
  );
});
