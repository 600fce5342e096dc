import { type Action, isGiven } from '#domain/accounts/roles.ts';
import { authorize } from '#server/accounts/policies.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { standingOf } from './events.sql.ts';

/** The standing of an event that is the organization's and that the member was given. */
export async function ownEvent({ db }: Pick<Deps, 'db'>, actor: Actor, eventId: string) {
  return isGiven(actor, eventId) ? standingOf(db, actor.organizationId, eventId) : undefined;
}

/** What members do with an event that buyers know. Everything else they also do with a draft. */
const ONLY_PUBLISHED: ReadonlySet<Action> = new Set([
  'event.cancel',
  'check-in.manage',
  'comp.manage',
  'payout.request',
]);

/** Begins every use case about one event. Without access it is not found, so that others can't tell whether it exists. */
export async function authorizeEvent(
  deps: Pick<Deps, 'db'>,
  actor: Actor,
  action: Action,
  eventId: string,
): Promise<void> {
  const event = await ownEvent(deps, actor, eventId);
  if (!event) throw new AppError('event.not-found');
  authorize(actor, action);
  if (!event.isPublished && ONLY_PUBLISHED.has(action)) throw new AppError('event.is-draft');
}
