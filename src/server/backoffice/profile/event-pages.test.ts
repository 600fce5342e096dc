import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { createEvent } from '#contract/app/events.ts';
import { eventRows } from '#contract/app/records/workspace.ts';
import { EVENTS_MAX } from '#domain/limits.ts';
import { copiesOfEvent } from '#tests/support/copied-events.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { buyTickets, eventForm, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Seller = Awaited<ReturnType<typeof eventOnSale>>;

/** Returns their ids, newest first. */
const addEvents = async ({ eventId }: Seller, count: number, endsAt: Date): Promise<string[]> =>
  (await copiesOfEvent(app.db, eventId, count, () => endsAt)).reverse();

const PAST = new Date('2026-01-01T00:00:00Z');

describe('the events of a profile', () => {
  it('are the first 20 of 500, active ones first, and their list pages to the last [LIFE-10]', async () => {
    const seller = await eventOnSale(app);
    const past = await addEvents(seller, 499, PAST);

    const text = await (await seller.visitor.fetch(profile.path)).text();
    const { events } = expectOk(await seller.visitor.call(profile, {}));
    const listed: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const page = expectOk(await seller.visitor.call(eventRows, { group: 'past', ...(after && { after }) }));
      listed.push(...page.rows.map(({ eventId }) => eventId));
      after = page.next;
    }

    expect(events.map(({ eventId }) => eventId)).toEqual([seller.eventId, ...past.slice(0, EVENTS_MAX - 1)]);
    expect(text.length).toBeLessThan(200_000);
    expect(listed.toSorted()).toEqual(past.toSorted());
  });

  it('begin with a new event, however many have ended since', async () => {
    const seller = await eventOnSale(app);
    await addEvents(seller, 30, PAST);

    const created = expectOk(await seller.visitor.call(createEvent, eventForm(app, { title: 'Just made' })));
    const first = expectOk(await seller.visitor.call(profile, {}));

    expect(first.events.slice(0, 2).map(({ eventId }) => eventId)).toEqual([created.eventId, seller.eventId]);
  });

  it('are counted together in the totals, also those beyond the first 20 [LIFE-10]', async () => {
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
});
