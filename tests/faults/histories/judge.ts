/** Checks that the money adds up at the end, and shows the history behind each error. */
import { disagreements } from '#tests/support/card-company-books.ts';
import { advance, heal, runEverything } from '#tests/support/heal.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import type { History, Setting } from './history.ts';
import { brokenPromises } from './promises.ts';

const FORTY_DAYS = 40 * 24 * 60 * 60;

export async function judge(app: Setting, told: History[], happenings: string[]): Promise<string[]> {
  const unhealed = await untilItFails(() => heal(app));
  const first = await findings(app, told);
  const before = await balanceSheet(app);
  await advance(app, FORTY_DAYS);
  unhealed.push(...(await untilItFails(() => runEverything(app))));
  const second = await findings(app, told);
  const after = await balanceSheet(app);
  const moved = before === after ? [] : [`money moved in forty quiet days: ${before} became ${after}`];

  const found = [...new Set([...unhealed, ...first, ...second, ...moved])];
  if (found.length === 0) return [];
  return [...found, ...happenings, ...(await storiesOf(app, told, found))];
}

/** Work that never finishes counts as an error. */
async function untilItFails(work: () => Promise<void>): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    return [String(error)];
  }
}

async function findings(app: Setting, told: History[]): Promise<string[]> {
  const found = [...(await brokenInvariants(app.db)), ...(await disagreements(app))];
  for (const history of told) found.push(...(await brokenPromises({ app, history })));
  return found;
}

async function balanceSheet({ db }: Setting): Promise<string> {
  const rows = await db
    .selectFrom('ledgerEntries')
    .groupBy('account')
    .orderBy('account')
    .select((column) => ['account', column.fn.sum<number>('cents').as('cents')])
    .execute();
  return rows.map(({ account, cents }) => `${account} ${cents}`).join(', ');
}

const STORIES = 3;

/** Logs of the histories that an error names, by name or by one of their ids. */
async function storiesOf(app: Setting, told: History[], found: string[]): Promise<string[]> {
  const words = found.join('\n');
  const stories: string[] = [];
  for (const history of told) {
    const ids = await idsOf(app, history.eventId);
    if (![history.name, history.eventId, ...ids].some((id) => words.includes(id))) continue;
    stories.push(`History ${history.name} (event ${history.eventId}):\n  ${history.log.join('\n  ')}`);
    if (stories.length === STORIES) break;
  }
  return stories;
}

async function idsOf({ db }: Setting, eventId: string): Promise<string[]> {
  const of = (table: 'orders' | 'tickets' | 'refunds' | 'payouts') =>
    db.selectFrom(table).where('eventId', '=', eventId).select('id').execute();
  const rows = await Promise.all([of('orders'), of('tickets'), of('refunds'), of('payouts')]);
  return rows.flat().map(({ id }) => id);
}
