import { type Action, isGiven } from '#domain/accounts/roles.ts';
import { authorize } from '#server/accounts/policies.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { hasEvent } from './events.sql.ts';

/** Whether the event is the organization's, and one that the member was given. */
export async function hasAccess({ db }: Pick<Deps, 'db'>, actor: Actor, eventId: string): Promise<boolean> {
  return isGiven(actor, eventId) && (await hasEvent(db, actor.organizationId, eventId));
}

/** Begins every use case about one event. Without access it is not found, so that others can't tell whether it exists. */
export async function authorizeEvent(
  deps: Pick<Deps, 'db'>,
  actor: Actor,
  action: Action,
  eventId: string,
): Promise<void> {
  if (!(await hasAccess(deps, actor, eventId))) throw new AppError('event.not-found');
  authorize(actor, action);
}
