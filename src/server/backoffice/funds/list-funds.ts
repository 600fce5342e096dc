import type { OrganizationFunds, organizationFunds, publicFunds } from '#contract/app/records/funds.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { fundsState } from '#domain/payouts/funds.ts';
import { type Leaf, pathIn, type SumNode, treeOf } from '#domain/payouts/sum-tree.ts';
import { authorize } from '#server/accounts/policies.ts';
import { listPayouts } from '#server/payments/payouts/list-payouts.ts';
import { AppError } from '#server/platform/app-error.ts';
import { perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { debtsOf, eventsWithMoney, fundsNow, leavesOf, newestSnapshots } from './funds.sql.ts';
import { owedForEvents } from './owed.ts';
import { afterDebt, sha256 } from './read-funds.ts';

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
  deps: Pick<Deps, 'db' | 'publishesFunds' | 'payoutBrakes'>,
  actor: Actor,
): Promise<ReplyOf<typeof organizationFunds>> {
  authorize(actor, 'payout.view');
  const { db, publishesFunds } = deps;
  const { organizationId, onlyEventIds } = actor;
  const seesAll = onlyEventIds === null;
  const rows = await eventsWithMoney(db, { organizationId, onlyEventIds });
  const owedFor = await owedForEvents(db, rows);
  const payoutOf = await listPayouts(
    deps,
    rows.map(({ id }) => id),
  );
  const { comparedAt } = await fundsNow(db);
  const debtCents = seesAll ? ((await debtsOf(db, organizationId)).get(organizationId) ?? 0) : 0;

  const events = rows.flatMap((event) => {
    const { organizerCents, onHoldCents, buyersCents } = owedFor(event);
    if (organizerCents + onHoldCents + buyersCents === 0) return [];
    const payout = payoutOf(event.id);
    return {
      eventId: event.id,
      title: event.title,
      timezone: event.timezone,
      owedCents: organizerCents,
      onHoldCents,
      state: nextOf(payout),
      dueAt: payout.opensAt,
      differs: event.differs,
    };
  });
  const owedCents = events.reduce((sum, event) => sum + event.owedCents, 0);
  return {
    events,
    debtCents,
    totalCents: afterDebt(owedCents, debtCents),
    comparedAt: comparedAt?.toISOString() ?? null,
    ...(publishesFunds && seesAll ? await proofFor(db, organizationId) : { signedDay: null, proof: null }),
  };
}

type Payout = ReturnType<Awaited<ReturnType<typeof listPayouts>>>;

function nextOf({ state, hold }: Payout): OrganizationFunds['events'][number]['state'] {
  if (hold && (state === 'open' || state === 'requested' || state === 'awaiting-funds')) return 'waits-for-operator';
  return NEXT[state];
}

const NEXT = {
  'too-early': 'not-due',
  open: 'due',
  requested: 'requested',
  'awaiting-funds': 'requested',
  'awaiting-account': 'awaiting-account',
  paid: 'kept-back',
  cancelled: 'to-buyers',
  'objections-open': 'waits-for-objections',
  'nothing-to-pay': 'none',
} as const satisfies Record<Payout['state'], unknown>;

interface SignedTree {
  day: string;
  leaves: Leaf[];
  tree: SumNode[][];
}

/** Of the newest day, which never changes: hashing the leaves of many organizations takes a while. */
const newestTreeOf = perDatabase<{ current: SignedTree | null }>(() => ({ current: null }));

async function proofFor(
  db: Deps['db'],
  organizationId: string,
): Promise<Pick<OrganizationFunds, 'signedDay' | 'proof'>> {
  const [snapshot] = await newestSnapshots(db, 1);
  if (!snapshot) return { signedDay: null, proof: null };
  const { leaves, tree } = await treeOfDay(db, snapshot.day);
  const position = leaves.findIndex((leaf) => leaf.organizationId === organizationId);
  const leaf = leaves[position];
  const proof = leaf ? { ...snapshot, ...leaf, path: pathIn(tree, position) } : null;
  return { signedDay: snapshot.day, proof };
}

async function treeOfDay(db: Deps['db'], day: string): Promise<SignedTree> {
  const newest = newestTreeOf(db);
  if (newest.current?.day === day) return newest.current;
  const leaves = await leavesOf(db, day);
  newest.current = { day, leaves, tree: treeOf(leaves, sha256) };
  return newest.current;
}
