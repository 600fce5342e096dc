/**
 * What has changed, as it is now. A reading goes in rounds: each walks events, orders and tickets that were written since the round
 * before began. A row that is written meanwhile comes in this round or in the next one, so no change is left out.
 */
import { createHash } from 'node:crypto';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type { listChanges as call } from '#contract/v1/changes.ts';
import { denyAction } from '#domain/accounts/roles.ts';
import { authorize } from '#server/accounts/policies.ts';
import { reachedIds } from '#server/backoffice/api/api.sql.ts';
import { type ChangesPlace, changesCursorOf, readChangesCursor } from '#server/backoffice/api/cursor.ts';
import { eventReplies } from '#server/backoffice/api/read-events.ts';
import { orderReplies, ticketReply } from '#server/backoffice/api/read-orders.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { AppError } from '#server/platform/app-error.ts';
import { openOneAtATime } from '#server/platform/batching/one-at-a-time.ts';
import { type Db, perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { KeyHolder } from '#server/platform/http/callers.ts';
import { changedEvents, changedOrders, changedTickets, restoresSoFar } from './changes.sql.ts';
import { isComparable, openTransactions } from './transactions.sql.ts';

type Reading = Pick<Deps, 'db' | 'publicUrl'>;
type Reply = ReplyOf<typeof call>;
type Change = Reply['data'][number];

const OBJECTS = ['event', 'order', 'ticket'] as const;

type ChangedObject = (typeof OBJECTS)[number];

interface Found {
  place: { eventId: string; id: string };
  change: Change;
}

export async function readChanges(
  deps: Reading,
  key: KeyHolder,
  { event_id, after, limit }: InputOf<typeof call>,
): Promise<Reply> {
  if (event_id === undefined) authorize(key, 'event.view');
  else await authorizeEvent(deps, key, 'event.view', event_id);
  return readingsOf(deps.db)(() => readPage(deps, key, { eventId: event_id ?? null, after, limit }));
}

interface Asked {
  eventId: string | null;
  after: string | undefined;
  limit: number;
}

async function readPage(deps: Reading, key: KeyHolder, { eventId, after, limit }: Asked): Promise<Reply> {
  const { db } = deps;
  // Before the rows, so that they include every transaction before it.
  const open = await openTransactions(db);
  const reach = reachOf(key, eventId, await restoresSoFar(db));
  const round = after === undefined ? roundSince('', { reach, upTo: open.upTo }) : readChangesCursor(after);
  if (round?.reach !== reach || !isComparable(round.upTo, open) || !isComparable(round.since || round.upTo, open))
    throw new AppError('changes.cursor-reset');
  const current = round.object === 'ended' ? roundSince(round.upTo, { reach, upTo: open.upTo }) : round;

  const objects = mayReadOrders(key) ? OBJECTS : OBJECTS.slice(0, 1);
  const eventIds = eventId === null ? await reachedIds(db, key) : [eventId];
  const data: Change[] = [];
  let next: ChangesPlace = { ...current, object: 'ended', eventId: '', id: '' };
  for (const object of objects.slice(
    Math.max(
      0,
      objects.findIndex((one) => one === current.object),
    ),
  )) {
    const from = object === current.object ? { eventId: current.eventId, id: current.id } : null;
    const page = { since: current.since || null, after: from?.id ? from : null, limit: limit - data.length + 1 };
    const found = await changesOf(deps, key, { object, eventId, eventIds, page });
    const taken = found.slice(0, limit - data.length);
    data.push(...taken.map(({ change }) => change));
    const last = taken.at(-1);
    if (found.length > taken.length) {
      next = { ...current, object, ...(last?.place ?? { eventId: from?.eventId ?? '', id: from?.id ?? '' }) };
      break;
    }
  }
  return { data, next_cursor: changesCursorOf(next), has_more: next.object !== 'ended' };
}

const roundSince = (since: string, { reach, upTo }: { reach: string; upTo: string }): ChangesPlace => ({
  reach,
  since,
  upTo,
  object: '',
  eventId: '',
  id: '',
});

interface Page {
  object: ChangedObject;
  eventId: string | null;
  eventIds: readonly string[];
  page: Parameters<typeof changedOrders>[2];
}

async function changesOf(deps: Reading, key: KeyHolder, { object, eventId, eventIds, page }: Page): Promise<Found[]> {
  const { db } = deps;
  const none = { event: null, order: null, ticket: null };
  switch (object) {
    case 'event': {
      const replies = await eventReplies(deps, await changedEvents(db, key, { ...page, eventId }));
      return replies.map((event) => ({
        place: { eventId: event.id, id: event.id },
        change: { object, ...none, event },
      }));
    }
    case 'order': {
      const replies = await orderReplies(deps, await changedOrders(db, eventIds, page));
      return replies.map((order) => ({
        place: { eventId: order.event_id, id: order.id },
        change: { object, ...none, order },
      }));
    }
    case 'ticket': {
      const found = await changedTickets(db, eventIds, page);
      return found.map((ticket) => ({
        place: { eventId: ticket.eventId, id: ticket.id },
        change: { object, ...none, ticket: ticketReply(ticket) },
      }));
    }
  }
}

const mayReadOrders = (key: KeyHolder) => denyAction(key, 'guest.view') === null;

/** A key that sees more than the one that began would miss what only it sees. */
function reachOf(key: KeyHolder, eventId: string | null, restores: string): string {
  const parts = [key.organizationId, key.onlyEventIds?.toSorted() ?? null, mayReadOrders(key), eventId, restores];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

const readingsOf = perDatabase((_db: Db) => openOneAtATime({ waitingMax: 20 }));
