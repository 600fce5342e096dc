import type { OrganizerEvent } from '#contract/app/events.ts';
import type { ListedPayout, payoutList } from '#contract/app/records/workspace.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { EVENT_ROWS_PER_PAGE } from '#domain/limits.ts';
import { dollarsOf } from '#domain/money.ts';
import { automaticPayoutsOf } from '#server/accounts/payout-account.ts';
import { authorize } from '#server/accounts/policies.ts';
import { listPayouts } from '#server/payments/payouts/list-payouts.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { payoutSums, publishedEvents } from './payout-list.sql.ts';

type Payout = OrganizerEvent['payout'];

/** A page of the events that the member was given, each with its payouts. */
export async function listAllPayouts(
  deps: Pick<Deps, 'db' | 'payoutBrakes'>,
  actor: Actor,
  { after }: InputOf<typeof payoutList>,
): Promise<ReplyOf<typeof payoutList>> {
  authorize(actor, 'payout.view');
  // One extra row tells whether there is a next page.
  const found = await publishedEvents(deps.db, actor, { after, limit: EVENT_ROWS_PER_PAGE + 1 });
  const events = found.slice(0, EVENT_ROWS_PER_PAGE);
  const payoutOf = await listPayouts(
    deps,
    events.map(({ id }) => id),
  );
  const { paidCents, onItsWayCents } = await payoutSums(deps.db, actor);
  return {
    payouts: events.flatMap(({ id, startsAt, ...event }) =>
      rowsOf(payoutOf(id)).map((row) => ({ eventId: id, startsAt: startsAt.toISOString(), ...event, ...row })),
    ),
    next: found.length > events.length ? (events.at(-1)?.id ?? null) : null,
    sums: { paid: dollarsOf(paidCents), onItsWay: dollarsOf(onItsWayCents) },
    automatic: await automaticPayoutsOf(deps, actor),
  };
}

type Row = Pick<ListedPayout, 'index' | 'amount' | 'state' | 'isEstimate' | 'isHeld' | 'at'>;

function rowsOf({ state, statement, opensAt, sendsAt, paidAt, hold, further }: Payout): Row[] {
  const isEstimate = state === 'too-early' || state === 'open' || state === 'objections-open';
  const isOver = state === 'cancelled' || state === 'nothing-to-pay';
  return [
    {
      index: 0,
      amount: isOver ? 0 : amountOf(statement?.net),
      state,
      isEstimate,
      isHeld: hold !== null,
      at: paidAt ?? (state === 'too-early' ? opensAt : sendsAt),
    },
    ...further.map((one, position) => ({
      index: position + 1,
      amount: amountOf(one.statement.net),
      state: one.state,
      isEstimate: false,
      isHeld: hold !== null && one.paidAt === null,
      at: one.paidAt,
    })),
  ];
}

/** Nothing is paid where fees exceed the sales. */
const amountOf = (net = 0): number => Math.max(0, net);
