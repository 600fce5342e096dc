import { lockUserToLogIn } from '#server/accounts/accounts.sql.ts';
import { acceptPasskey, checkFactor } from '#server/accounts/factors/check-factor.ts';
import { endChallenge, findChallenge } from '#server/accounts/factors/factors.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { restartMinutes } from './confirm-password.ts';
import { proofOf, type ShownFactor } from './log-in-with-factor.ts';

type FactorDeps = Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'appSecret' | 'publicUrl'>;
/** A passkey signs a challenge that a login could use as well. */
type Shown = ShownFactor & { challengeId?: string | undefined };

/** As `reauthenticate`, for a person who shows a second factor instead of the password. */
export async function reauthenticateWithFactor(deps: FactorDeps, organizer: Organizer, shown: Shown): Promise<void> {
  const { userId } = organizer;
  // Counted before it is judged, together with those of logins.
  if (shown.code !== undefined) await consumeLimit(deps.rateLimiter, 'factor-code', userId);
  const isRight = await inTransaction(deps.db, async (tx) => {
    const user = await lockUserToLogIn(tx, userId);
    if (!user) return false;
    return shown.passkey
      ? acceptAlone(deps, tx, userId, shown)
      : checkFactor(deps, tx, user, { ...shown, challenge: null });
  });
  if (!isRight) throw new AppError('auth.factor-refused');
  await restartMinutes(deps, organizer, shown.passkey ? 'passkey-alone' : proofOf(shown));
}

async function acceptAlone(
  deps: FactorDeps,
  tx: Db,
  userId: string,
  { challengeId, passkey }: Shown,
): Promise<boolean> {
  if (!challengeId || !passkey) return false;
  const wanted = { id: challengeId, purpose: 'log-in-with-passkey', now: deps.clock.now() } as const;
  const challenge = (await findChallenge(tx, wanted))?.challenge;
  if (!challenge || !(await acceptPasskey(deps, tx, userId, { challenge, response: passkey, isAlone: true })))
    return false;
  return endChallenge(tx, challengeId);
}
