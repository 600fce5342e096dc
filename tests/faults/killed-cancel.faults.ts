/** Cancels an event of 500 orders and kills the server ten times during the refunds. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelEvent } from '#contract/app/events.ts';
import { newPublicId } from '#server/platform/ids.ts';
import { heal } from '#tests/support/heal.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { buyTickets, logInAgain } from '#tests/support/people.ts';
import { stripeDiscrepancies } from '#tests/support/stripe-discrepancies.ts';
import { insertEvent } from './insert-event.ts';
import { type Killable, openKillable, type Stop } from './kills/killable.ts';
import { emailsNotSentOnce } from './kills/sent-once.ts';

const ORDERS = 500;
/** Some buyers have several orders, and still get one email about the cancellation. */
const BUYERS = 430;
const AT_ONCE = 8;
const DAY_MS = 24 * 60 * 60 * 1000;

let shop: Killable;
beforeAll(async () => {
  shop = await openKillable();
});
afterAll(() => shop?.remove());

/** Sells through the API and the hosted payment page, several orders at a time. */
async function sell(eventId: string): Promise<void> {
  let next = 0;
  const buyers = Array.from({ length: AT_ONCE }, async () => {
    while (next < ORDERS) {
      const buyer = next++ % BUYERS;
      await buyTickets(shop.site, eventId, [{ ticketName: 'Floor', quantity: 1 }], `buyer-${buyer}@example.com`);
    }
  });
  await Promise.all(buyers);
}

const refundsWhere = (condition: string, least: number) =>
  `select 1 from refunds where ${condition} having count(*) >= ${least}`;
const sent = (least: number) => refundsWhere("state = 'sent'", least);
const REFUND = { method: 'POST', path: '/v1/refunds' };

const STOPS: Stop[] = [
  { at: 'write', table: 'refunds' },
  { at: 'write', table: 'email_outbox', once: refundsWhere("state = 'claimed'", 100) },
  { at: 'write', table: 'tickets', once: refundsWhere("state = 'claimed'", 100) },
  { at: 'call', ...REFUND },
  { at: 'answer', ...REFUND, table: 'refunds' },
  { at: 'write', table: 'ledger_entries', once: sent(60) },
  { at: 'write', table: 'ticket_types', once: sent(120) },
  { at: 'answer', ...REFUND, table: 'tickets' },
  { at: 'write', table: 'inbox_messages', once: sent(200) },
  { at: 'write', table: 'graphile_worker._private_jobs', once: sent(260) },
];

describe('cancelling an event of 500 orders', () => {
  it('refunds and emails each buyer once, with ten kills on the way', async () => {
    const eventId = newPublicId();
    const now = await shop.now();
    await insertEvent(shop.db, {
      now,
      eventId,
      organizationId: shop.organizationId,
      title: 'Basement Brass',
      endsAt: new Date(now.getTime() + DAY_MS),
      types: [{ name: 'Floor', priceCents: 2400, quantity: ORDERS }],
    });
    await sell(eventId);

    const organizer = { visitor: shop.site.visitor(), email: shop.organizerEmail };
    await logInAgain(organizer);
    const cancel = () => organizer.visitor.call(cancelEvent, { eventId });
    const sentAtKills: number[] = [];
    for (const stop of STOPS) {
      await shop.killAt(stop, cancel);
      sentAtKills.push(await refundsIn(eventId, 'sent'));
    }
    // Kills the server before, during, and near the end of the refunds.
    expect(sentAtKills[0]).toBe(0);
    expect(sentAtKills.at(-1)).toBeGreaterThan(0);
    expect(sentAtKills.at(-1)).toBeLessThan(ORDERS);

    await heal(shop);
    expect(await refundsIn(eventId, 'sent')).toBe(ORDERS);
    expect(await brokenInvariants(shop.db)).toEqual([]);
    expect(await stripeDiscrepancies(shop)).toEqual([]);
    expect(await emailsNotSentOnce(shop.db)).toEqual([]);
    expect(await cancellationEmails()).toEqual({ emails: BUYERS, buyers: BUYERS });
  }, 600_000);
});

async function refundsIn(eventId: string, state: 'sent'): Promise<number> {
  const rows = await shop.db
    .selectFrom('refunds')
    .where('eventId', '=', eventId)
    .where('state', '=', state)
    .select('id')
    .execute();
  return rows.length;
}

async function cancellationEmails() {
  const rows = await shop.db
    .selectFrom('emailOutbox')
    .where('kind', '=', 'event-cancelled')
    .where('sentAt', 'is not', null)
    .select('toAddress')
    .execute();
  return { emails: rows.length, buyers: new Set(rows.map(({ toAddress }) => toAddress)).size };
}
