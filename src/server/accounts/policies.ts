import { type Action, mayDo } from '#domain/roles.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Actor } from '#server/platform/http/callers.ts';

/** Every use case that acts for an organization begins here. Its queries then read only rows of that organization. */
export function authorize(actor: Pick<Actor, 'role'>, action: Action): void {
  if (!mayDo(actor.role, action)) throw new AppError('organization.forbidden', { action });
}
