/** Compares answers with the database: ok must be visible, refused must leave no trace, unknown may be either. */
import type { History } from '../histories/history.ts';
import type { Operation, OperationKind } from './http-client.ts';
import type { Crowd } from './load.ts';

type Records = Awaited<ReturnType<typeof recordsOf>>;

/** One line per mismatch. */
export async function operationMismatches(crowd: Crowd): Promise<string[]> {
  const broken: string[] = [];
  for (const history of crowd.histories) {
    const records = await recordsOf(crowd, history);
    const of = (what: OperationKind) =>
      crowd.operations.filter((one) => one.eventId === history.eventId && one.what === what);
    const found = [...checkouts(records, of('checkout')), ...tickets(records, of), ...ends(records, of)];
    broken.push(...found.map((problem) => `${history.name}: ${problem}`));
  }
  return broken;
}

async function recordsOf({ stage: { db } }: Crowd, { eventId }: History) {
  const [orders, scanned, asked, payouts, event] = await Promise.all([
    db.selectFrom('orders').where('eventId', '=', eventId).select(['id', 'sessionId']).execute(),
    db
      .selectFrom('tickets')
      .where('eventId', '=', eventId)
      .where('scannedAt', 'is not', null)
      .select('confirmationNumber')
      .execute(),
    db
      .selectFrom('refunds as r')
      .innerJoin('tickets as t', (join) => join.onRef('t.eventId', '=', 'r.eventId').onRef('t.id', '=', 'r.ticketId'))
      .where('r.eventId', '=', eventId)
      .select(['t.confirmationNumber', 'r.reason'])
      .execute(),
    db.selectFrom('payouts').where('eventId', '=', eventId).select('id').execute(),
    db.selectFrom('events').where('id', '=', eventId).select('cancelledAt').executeTakeFirstOrThrow(),
  ]);
  const numbers = (rows: { confirmationNumber: string }[]) => new Set(rows.map((row) => row.confirmationNumber));
  const requested = numbers(asked.filter(({ reason }) => reason === 'requested'));
  return {
    orders,
    scanned: numbers(scanned),
    requested,
    refunded: numbers(asked),
    payouts,
    isCancelled: event.cancelledAt !== null,
  };
}

/** A checkout is identified by its session only, which an unanswered caller never learns. Those are counted. */
function checkouts({ orders }: Records, asked: Operation[]): string[] {
  const done = asked.filter(({ is }) => is === 'done').length;
  const open = asked.filter(({ is }) => is === 'unknown').length;
  return orders.length >= done && orders.length <= done + open
    ? []
    : [`${orders.length} orders for ${done} confirmed checkouts and ${open} unknown ones`];
}

/** A refund requested after the event was cancelled is answered with yes, and exists by then. */
function tickets({ scanned, requested, refunded }: Records, of: (what: OperationKind) => Operation[]): string[] {
  const maybeDone = (what: OperationKind) => of(what).filter(({ is }) => is === 'done' || is === 'unknown');
  const undone = maybeDone('undo').map(({ subject }) => subject);
  // Some synced scans came too late.
  const synced = maybeDone('sync').flatMap((one) =>
    one.subject.split(' ').map((subject): Operation => ({ ...one, subject, is: 'unknown' })),
  );
  return [
    ...notExplained('was scanned', { caused: scanned, there: new Set([...scanned, ...undone]) }, [
      ...of('scan'),
      ...synced,
    ]),
    ...notExplained('has a refund', { caused: requested, there: refunded }, of('refund')),
  ];
}

function notExplained(
  problem: string,
  { caused, there }: { caused: Set<string>; there: Set<string> },
  operations: Operation[],
): string[] {
  const may = new Set(operations.filter(({ is }) => is === 'done' || is === 'unknown').map(({ subject }) => subject));
  const must = new Set(operations.filter(({ is }) => is === 'done').map(({ subject }) => subject));
  return [
    ...[...caused]
      .filter((number) => !may.has(number))
      .map((number) => `${number} ${problem}, but every request was refused`),
    ...[...must].filter((number) => !there.has(number)).map((number) => `${number} should have, but not: ${problem}`),
  ];
}

function ends({ payouts, isCancelled }: Records, of: (what: OperationKind) => Operation[]): string[] {
  const found: string[] = [];
  const is = (what: OperationKind, outcome: Operation['is']) => of(what).some((one) => one.is === outcome);
  const may = (what: OperationKind) => is(what, 'done') || is(what, 'unknown');
  if (payouts.length > 0 && !may('payout')) found.push('paid out, but every request was refused');
  if (payouts.length === 0 && is('payout', 'done')) found.push('a payout was confirmed, but does not exist');
  if (isCancelled && !may('cancel')) found.push('cancelled, but every request was refused');
  if (!isCancelled && is('cancel', 'done')) found.push('cancelling was confirmed, but the event is not cancelled');
  return found;
}
