import type { Action } from '#domain/accounts/roles.ts';
import { authorize } from '#server/accounts/policies.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { KeyHolder } from '#server/platform/http/callers.ts';
import { reachedIds } from './api.sql.ts';

/** One of them, or all that the key reaches. */
export async function eventsToRead(
  { db }: Pick<Deps, 'db'>,
  key: KeyHolder,
  action: Action,
  eventId?: string,
): Promise<string[]> {
  if (eventId !== undefined) {
    await authorizeEvent({ db }, key, action, eventId);
    return [eventId];
  }
  authorize(key, action);
  return reachedIds(db, key);
}
