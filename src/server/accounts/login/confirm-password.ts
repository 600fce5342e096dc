import type { LoginProof } from '#domain/accounts/factors.ts';
import { findPasswordHash } from '#server/accounts/accounts.sql.ts';
import { verifyPassword } from '#server/accounts/passwords.ts';
import { setReauthenticated } from '#server/accounts/sessions.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { countAttempt, releasePoints } from '#server/platform/rate-limit.ts';
import { loginAttempts } from './login-attempts.ts';

type Entered = { password: string; ip: string };

export async function reauthenticate(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  organizer: Organizer,
  entered: Entered,
): Promise<void> {
  await confirmPassword(deps, organizer, entered);
  await restartMinutes(deps, organizer, 'password');
}

/** Restarts the minutes in which the session may move money, change how the account is reached, and export personal data. */
export async function restartMinutes(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  organizer: Organizer,
  proof: LoginProof,
): Promise<void> {
  const { userId, sessionId } = organizer;
  await inTransaction(db, async (tx) => {
    const at = clock.now();
    await setReauthenticated(tx, sessionId, at);
    await recordAuditEvent(tx, { action: 'reauthenticate', by: organizer, subject: userId, params: { proof }, at });
  });
}

/** Returns the hash that the password matches. A wrong one counts as a failed login. */
export async function confirmPassword(
  { db, rateLimiter }: Pick<Deps, 'db' | 'rateLimiter'>,
  { userId, email }: Pick<Organizer, 'userId' | 'email'>,
  { password, ip }: Entered,
): Promise<string> {
  const attempts = loginAttempts(email, ip);
  const { exceeded, waitSeconds } = await countAttempt(rateLimiter, attempts);
  const passwordHash = await findPasswordHash(db, userId);
  // Outside of a transaction: hashing may queue, and must not hold a connection meanwhile.
  if (passwordHash && (await verifyPassword(passwordHash, password))) {
    await releasePoints(rateLimiter, attempts);
    return passwordHash;
  }
  if (exceeded.length > 0) throw new AppError('rate-limit.exceeded', { retryAfterSeconds: waitSeconds });
  throw new AppError('password.wrong');
}
