import { type Action, type Authority, denyAction, scopeFor } from '#domain/accounts/roles.ts';
import { AppError } from '#server/platform/app-error.ts';

/** Every use case that acts for an organization begins here. Its queries then read only rows of that organization. */
export function authorize(actor: Authority, action: Action): void {
  const denial = denyAction(actor, action);
  if (denial === 'role-denied') throw new AppError('auth.role-denied', { action });
  if (denial === 'scope-missing') throw new AppError('auth.scope-missing', { scope: scopeFor(action) ?? '' });
  if (denial) throw new AppError(`auth.${denial}`);
}

/** Begins a use case that concerns only the caller's own account, and that a stolen session must not reach. */
export function requireReauthentication({ isReauthenticated }: Pick<Authority, 'isReauthenticated'>): void {
  if (!isReauthenticated) throw new AppError('auth.reauthentication-required');
}
