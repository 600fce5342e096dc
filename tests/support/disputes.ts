/** What tests of disputes do at the bank, and check afterwards. */
import { brokenInvariants } from './invariants.ts';
import { simulateAtBank, stripeObjectsOf } from './money.ts';
import { buyTickets, eventOnSale } from './people.ts';
import { stripeDiscrepancies } from './stripe-discrepancies.ts';
import type { TestApp } from './test-app.ts';

/** Sales that are never paid out, so that the cost of disputes does not delay payouts. */
export async function fillBalance(app: TestApp): Promise<void> {
  const ticket = { ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 500, ticketQuantity: 10 };
  const { eventId } = await eventOnSale(app, { tickets: [ticket] });
  await buyTickets(app, eventId, [{ ticketName: 'Seat', quantity: 10 }]);
  await app.settle();
  await app.advance({ days: 3 });
}

/** Disputes one of the event's payments; the server has processed the webhook on return. */
export async function disputePayment(app: TestApp, eventId: string, { which = 0, kind = 'chargeback' } = {}) {
  const payments = await stripeObjectsOf(app, 'payment_intent', eventId);
  const dispute = await simulateAtBank(app, 'disputes', { payment_intent: payments[which]?.id, kind });
  await app.settle();
  return dispute.id;
}

export async function decideDispute(app: TestApp, disputeId: string, become: 'won' | 'lost' | 'chargeback') {
  await simulateAtBank(app, `disputes/${disputeId}`, { become });
  await app.settle();
}

export async function disputeIdOf({ db }: TestApp, eventId: string): Promise<string> {
  const disputes = db.selectFrom('disputes').where('eventId', '=', eventId).select('id');
  return (await disputes.executeTakeFirstOrThrow()).id;
}

/** Balance of each account in the event's ledger, without zeros. */
export async function balancesOf({ db }: TestApp, eventId: string): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('ledgerEntries')
    .where('eventId', '=', eventId)
    .groupBy('account')
    .select((column) => ['account', column.fn.sum<number>('cents').as('cents')])
    .execute();
  return Object.fromEntries(
    rows.map(({ account, cents }) => [account, Number(cents)] as const).filter(([, cents]) => cents !== 0),
  );
}

/** Errors in the ledger, in the tickets, and compared with Stripe. Empty when all is well. */
export async function moneyErrorsExceptWebhooks(app: TestApp): Promise<string[]> {
  await app.settle();
  // A moved clock makes every unprocessed webhook event look old.
  const broken = (await brokenInvariants(app.db)).filter((line) => !line.startsWith('webhook-events-'));
  return [...(await stripeDiscrepancies(app)), ...broken];
}
