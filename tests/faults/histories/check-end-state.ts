/** Checks that the money adds up at the end, and shows the history behind each error. */
import { advance, heal, runEverything } from '#tests/support/heal.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { stripeDiscrepancies } from '#tests/support/stripe-discrepancies.ts';
import { wrongAnswers } from './check-answers.ts';
import type { AppAccess, History } from './history.ts';

const FORTY_DAYS = 40 * 24 * 60 * 60;
/** Until everything that a payout held back is due. */
const HELD_SECONDS = 20 * 24 * 60 * 60;

/** `others` are errors once everything has settled. */
export async function checkEndState(
  app: AppAccess,
  histories: History[],
  timeline: string[],
  others: () => Promise<string[]> = async () => [],
): Promise<string[]> {
  const unfinished = await errorOf(() => heal(app));
  if (await holdsMoneyBack(app)) {
    await advance(app, HELD_SECONDS);
    unfinished.push(...(await errorOf(() => heal(app))));
  }
  const first = [...(await errorsIn(app, histories)), ...(await others())];
  const before = await balanceSheet(app);
  await advance(app, FORTY_DAYS);
  unfinished.push(...(await errorOf(() => runEverything(app))));
  const second = await errorsIn(app, histories);
  const after = await balanceSheet(app);
  const moved = before === after ? [] : [`money moved in forty idle days: ${before} became ${after}`];

  const found = [...new Set([...unfinished, ...first, ...second, ...moved])];
  if (found.length === 0) return [];
  return [...found, ...timeline, ...(await logsOf(app, histories, found))];
}

async function holdsMoneyBack({ db }: AppAccess): Promise<boolean> {
  const held = db.selectFrom('payoutReserves').where('paidBy', 'is', null).select('id').limit(1);
  const unsent = db.selectFrom('payouts').where('state', '<>', 'paid').select('id').limit(1);
  return (await held.executeTakeFirst()) !== undefined || (await unsent.executeTakeFirst()) !== undefined;
}

/** Work that never finishes counts as an error. */
async function errorOf(work: () => Promise<void>): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    return [String(error)];
  }
}

async function errorsIn(app: AppAccess, histories: History[]): Promise<string[]> {
  const found = [...(await brokenInvariants(app.db)), ...(await stripeDiscrepancies(app))];
  for (const history of histories) found.push(...(await wrongAnswers({ app, history })));
  return found;
}

async function balanceSheet({ db }: AppAccess): Promise<string> {
  const rows = await db
    .selectFrom('ledgerEntries')
    .groupBy('account')
    .orderBy('account')
    .select((column) => ['account', column.fn.sum<number>('cents').as('cents')])
    .execute();
  return rows.map(({ account, cents }) => `${account} ${cents}`).join(', ');
}

const MAX_LOGS = 3;

/** Logs of the histories that an error names, by name or by one of their ids. */
async function logsOf(app: AppAccess, histories: History[], found: string[]): Promise<string[]> {
  const text = found.join('\n');
  const logs: string[] = [];
  for (const history of histories) {
    const ids = await idsOf(app, history.eventId);
    if (![history.name, history.eventId, ...ids].some((id) => text.includes(id))) continue;
    logs.push(`History ${history.name} (event ${history.eventId}):\n  ${history.log.join('\n  ')}`);
    if (logs.length === MAX_LOGS) break;
  }
  return logs;
}

async function idsOf({ db }: AppAccess, eventId: string): Promise<string[]> {
  const of = (table: 'orders' | 'tickets' | 'refunds' | 'payouts') =>
    db.selectFrom(table).where('eventId', '=', eventId).select('id').execute();
  const rows = await Promise.all([of('orders'), of('tickets'), of('refunds'), of('payouts')]);
  return rows.flat().map(({ id }) => id);
}
