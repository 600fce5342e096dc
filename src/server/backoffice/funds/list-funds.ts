import type { OrganizationFunds, organizationFunds, publicFunds } from '#contract/app/records/funds.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { fundsState } from '#domain/payouts/funds.ts';
import { pathOf } from '#domain/payouts/sum-tree.ts';
import { settlesAt } from '#domain/settlement.ts';
import { authorize } from '#server/accounts/policies.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { debtsOf, eventsWithMoney, fundsNow, leavesOf, newestSnapshots } from './funds.sql.ts';
import { type Owed, owedForEvents } from './owed.ts';
import { sha256 } from './read-funds.ts';

const SNAPSHOTS_SHOWN = 30;

/** The total over all organizations, for everyone. */
export async function showFunds({
  db,
  publishesFunds,
}: Pick<Deps, 'db' | 'publishesFunds'>): Promise<ReplyOf<typeof publicFunds>> {
  if (!publishesFunds) throw new AppError('page.not-found');
  const { reading, comparedAt, discrepancies, now } = await fundsNow(db);
  return {
    reading: reading && {
      ...reading,
      state: fundsState(reading, { comparedAt, discrepancies }, now),
      readAt: reading.readAt.toISOString(),
    },
    comparedAt: comparedAt?.toISOString() ?? null,
    snapshots: await newestSnapshots(db, SNAPSHOTS_SHOWN),
  };
}

/** What the member's organization is owed, for the events that the member was given. */
export async function listFunds(
  { db, publishesFunds }: Pick<Deps, 'db' | 'publishesFunds'>,
  actor: Actor,
): Promise<ReplyOf<typeof organizationFunds>> {
  authorize(actor, 'payout.view');
  const { organizationId, onlyEventIds } = actor;
  const rows = await eventsWithMoney(db, { organizationId, onlyEventIds });
  const owedFor = await owedForEvents(db, rows);
  const { comparedAt, now } = await fundsNow(db);
  const debtCents = Math.max(0, (await debtsOf(db, organizationId)).get(organizationId) ?? 0);

  const events = rows.map((event) => {
    const { organizerCents, onHoldCents, next } = owedFor(event);
    const dueAt = settlesAt(event.latestEndsAt);
    return {
      eventId: event.id,
      title: event.title,
      timezone: event.timezone,
      owedCents: organizerCents,
      onHoldCents,
      state: stateOf(next, dueAt <= now),
      dueAt: dueAt.toISOString(),
      differs: event.differs,
    };
  });
  const owedCents = events.reduce((sum, event) => sum + event.owedCents, 0);
  return {
    events,
    debtCents,
    totalCents: Math.max(0, owedCents - debtCents),
    comparedAt: comparedAt?.toISOString() ?? null,
    proof: publishesFunds && onlyEventIds === null ? await proofFor(db, organizationId) : null,
  };
}

function stateOf(next: Owed['next'], isDue: boolean): OrganizationFunds['events'][number]['state'] {
  if (next === 'payout') return isDue ? 'due' : 'not-due';
  return next === 'refund' ? 'to-buyers' : next;
}

/** Null before the first signed total, and if it had nothing of the organization. */
async function proofFor(db: Deps['db'], organizationId: string) {
  const [snapshot] = await newestSnapshots(db, 1);
  if (!snapshot) return null;
  const leaves = await leavesOf(db, snapshot.day);
  const position = leaves.findIndex((leaf) => leaf.organizationId === organizationId);
  const leaf = leaves[position];
  return leaf ? { ...snapshot, ...leaf, path: pathOf(leaves, position, sha256) } : null;
}
