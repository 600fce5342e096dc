/** Checks that the answers people received hold true. */
import { readEventSales } from '#server/backoffice/sales/read-sales.ts';
import { ledgerTotals } from '#tests/support/ledger-totals.ts';
import { grantOf, type History, type HistoryInApp, type TicketRow, ticketsOf } from './history.ts';

export async function wrongAnswers(stage: HistoryInApp): Promise<string[]> {
  const { history } = stage;
  return [
    ...history.failures,
    ...(await brokenSales(stage)),
    ...(await brokenTickets(stage)),
    ...(await brokenPayouts(stage)),
    ...(await brokenReport(stage)),
  ].map((broken) => `${history.name}: ${broken}`);
}

/** Every paid order has tickets, or is refunded in full. */
async function brokenSales({ app, history }: HistoryInApp): Promise<string[]> {
  const orders = await app.db
    .selectFrom('orders')
    .where('eventId', '=', history.eventId)
    .select(['id', 'sessionId', 'state', 'totalCents'])
    .execute();
  const refunds = await app.db
    .selectFrom('refunds')
    .where('eventId', '=', history.eventId)
    .where('reason', '=', 'unfulfillable-order')
    .select(['orderId', 'state', 'cents'])
    .execute();
  return history.sessions
    .filter(({ isPaid }) => isPaid)
    .flatMap((session) => {
      const order = orders.find(({ sessionId }) => sessionId === session.id);
      if (order?.state === 'paid') return [];
      const back = refunds.find(({ orderId, cents }) => orderId === order?.id && cents === order.totalCents);
      if (order?.state === 'unfulfillable' && (order.totalCents === 0 || back)) return [];
      return [`${session.id} was paid, and its order is ${order?.state ?? 'unknown'}`];
    });
}

async function brokenTickets(stage: HistoryInApp): Promise<string[]> {
  const { history } = stage;
  const tickets = await ticketsOf(stage);
  const refusedLater = await refusedNumbers(stage);
  const broken: string[] = [];
  for (const number of history.acceptedRefunds) {
    const state = tickets.find((ticket) => ticket.confirmationNumber === number)?.state;
    if ((state === 'valid' || state === 'scanned') && !refusedLater.has(number))
      broken.push(`the refund of ${number} was accepted, but the ticket is ${state}`);
  }
  for (const { number, grantId } of history.admitted) {
    if (!tickets.find((ticket) => ticket.confirmationNumber === number)?.scannedAt)
      broken.push(`${number} was admitted, but never scanned`);
    if (history.admitted.some((other) => other.number === number && other.grantId !== grantId))
      broken.push(`${number} was admitted twice`);
  }
  return [...broken, ...brokenSyncs(history, tickets)];
}

/** At most one scan of a ticket, online or offline, may count as its first; the others must be sync conflicts. */
function brokenSyncs({ synced, admitted }: History, tickets: readonly TicketRow[]): string[] {
  return [...synced.values()].flatMap(({ number, result, scanId, device }) => {
    const isIn = tickets.some((ticket) => ticket.confirmationNumber === number && ticket.scannedAt);
    const letsIn = result === 'first' || result === 'again' || result === 'double';
    const others = [...synced.values()].filter((scan) => scan.scanId !== scanId && scan.number === number);
    const isTwice =
      result === 'first' &&
      (others.some((scan) => scan.result === 'first') ||
        admitted.some((online) => online.number === number && online.grantId !== grantOf(device)));
    return [
      ...(letsIn && !isIn ? [`${number} was admitted offline (${result}), but never scanned`] : []),
      ...(isTwice ? [`${number} was admitted offline as the first, and by another device`] : []),
    ];
  });
}

/** Stripe may reject an accepted refund. The buyer is notified, and the ticket is valid again. */
async function refusedNumbers({ app, history }: HistoryInApp): Promise<Set<string>> {
  const rows = await app.db
    .selectFrom('refunds as r')
    .innerJoin('tickets as t', (join) => join.onRef('t.eventId', '=', 'r.eventId').onRef('t.id', '=', 'r.ticketId'))
    .where('r.eventId', '=', history.eventId)
    .where('r.state', 'in', ['refused', 'restored'])
    .select('t.confirmationNumber')
    .execute();
  return new Set(rows.map(({ confirmationNumber }) => confirmationNumber));
}

async function brokenPayouts({ app, history }: HistoryInApp): Promise<string[]> {
  const payouts = await app.db
    .selectFrom('payouts')
    .where('eventId', '=', history.eventId)
    .select(['seq', 'cents', 'state'])
    .execute();
  const broken = payouts
    .filter(({ state }) => state !== 'paid')
    .map(({ seq, state }) => `payout ${seq} is still ${state} after recovery`);
  for (const cents of history.paidOut) {
    if (!payouts.some((payout) => payout.cents === cents)) broken.push(`${cents} were promised, but never paid out`);
  }
  if (new Set(payouts.map(({ seq }) => seq)).size < history.paidOut.length)
    broken.push(`${history.paidOut.length} requests were answered with a payout`);
  return broken;
}

/** The sales report has every cent of the ledger, on some day and in some part. */
async function brokenReport({ app, history }: HistoryInApp): Promise<string[]> {
  const { eventId, organizer } = history;
  const deps = { db: app.db, clock: { now: () => app.now() } };
  const report = await readEventSales(deps, organizer, { eventId, split: 'type' });
  const { totals, days, parts } = report;
  const ledger = await ledgerTotals(app.db, eventId);
  const sumOf = (rows: readonly Pick<typeof totals, 'grossCents' | 'refundedCents'>[]) => ({
    sold: rows.reduce((sum, { grossCents }) => sum + grossCents, 0),
    reversed: rows.reduce((sum, { refundedCents }) => sum + refundedCents, 0),
  });
  return [sumOf([totals]), sumOf(days), sumOf(parts)]
    .filter((sums) => sums.sold !== ledger.sold || sums.reversed !== ledger.reversed)
    .map((sums) => `the sales report has ${JSON.stringify(sums)}, and the ledger ${JSON.stringify(ledger)}`);
}
