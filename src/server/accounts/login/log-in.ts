import { findCredentials, isPasswordUnchanged } from '#server/accounts/accounts.sql.ts';
import { authenticate } from '#server/accounts/authenticate.ts';
import { isKnown } from '#server/accounts/known-browsers.ts';
import { verifyPassword } from '#server/accounts/passwords.ts';
import { removeSession } from '#server/accounts/sessions.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Credentials } from '#server/platform/http/cookies.ts';
import { type EmailLimits, queueLimitedEmail } from '#server/platform/outbox/queue-limited-email.ts';
import { type CountedAttempt, consumeAll, countAttempt, releasePoints } from '#server/platform/rate-limit.ts';
import { askForEmailedCode, askForFactor, type FactorRequired } from './ask-for-factor.ts';
import { dailyAttempts, loginAttempts } from './login-attempts.ts';
import { type Device, type NewSession, openSession } from './open-session.ts';

interface LogIn extends Device {
  email: string;
  password: string;
  honeypot?: string | undefined;
}

/**
 * No account has such an email. PostgreSQL's `lower()` maps some letters to ASCII (İ to i), so each spelling would get
 * its own rate limit.
 */
const NOT_PRINTABLE_ASCII = /[^ -~]/;

const NO_USER = '00000000-0000-0000-0000-000000000000';

/** A right password logs in, or asks for the account's second factor. */
export async function logIn(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'rateLimitScale' | 'appSecret' | 'publicUrl'>,
  { email, password, honeypot, ...device }: LogIn,
): Promise<NewSession | FactorRequired> {
  const { db, clock, rateLimiter, rateLimitScale, appSecret } = deps;
  const attempts = loginAttempts(email, device.ip);
  const daily = dailyAttempts(email, device.ip);
  const user = NOT_PRINTABLE_ASCII.test(email) ? undefined : await findCredentials(db, email);
  // Looked up for an unknown email, too, so that it takes as long.
  const isKnownBrowser = await isKnown(db, user?.id ?? NO_USER, device);
  const counted = await countAttempt(rateLimiter, attempts);
  const day = await consumeAll(rateLimiter, daily);
  // A flood of guesses doesn't lock out the owner: their own browser, a passkey and a reset link still work.
  if (!isKnownBrowser && day.exceeded.some((limit) => limit !== 'login-account-day'))
    throw new AppError('rate-limit.exceeded', { retryAfterSeconds: day.waitSeconds });
  const passwordHash = user?.passwordHash ?? null;
  const isCorrect = await verifyPassword(passwordHash, password);
  if (!user || passwordHash === null || !isCorrect || honeypot) return rejectLogin(deps, user, counted);
  await releasePoints(rateLimiter, [...attempts, ...daily]);

  const answer = await inTransaction(db, async (tx) => {
    // A password reset since the check has ended all sessions and must end this one, too.
    if (!(await isPasswordUnchanged(tx, user.id, passwordHash))) return null;
    const question = await askForFactor(deps, tx, user.id);
    if (question) return question;
    return day.exceeded.length > 0 && !isKnownBrowser
      ? askForEmailedCode({ clock, appSecret, rateLimitScale }, tx, user)
      : openSession(deps, tx, user, { ...device, proof: 'password' });
  });
  if (!answer) throw new AppError('login.wrong');
  return answer;
}

type WarnDeps = Pick<Deps, 'db' | 'clock'> & EmailLimits;
type User = NonNullable<Awaited<ReturnType<typeof findCredentials>>>;

/** The same response for a wrong password, an unknown email and a filled honeypot. */
async function rejectLogin(
  deps: WarnDeps,
  user: User | undefined,
  { exceeded, waitSeconds }: CountedAttempt,
): Promise<never> {
  if (user && exceeded.includes('login-account')) await warnOfFailedLogins(deps, user);
  if (exceeded.length > 0) throw new AppError('rate-limit.exceeded', { retryAfterSeconds: waitSeconds });
  throw new AppError('login.wrong');
}

/** At most one email an hour, which counts like all others that strangers cause. */
async function warnOfFailedLogins({ db, clock, ...limits }: WarnDeps, user: User): Promise<void> {
  const now = clock.now();
  const subjectId = `${user.id} ${now.toISOString().slice(0, 'YYYY-MM-DDTHH'.length)}`;
  const email = { kind: 'password-guessed', subjectId, accountId: user.id } as const;
  await inTransaction(db, async (tx) => {
    const event = { action: 'failed-logins', subject: user.id, once: subjectId, at: now } as const;
    if (await recordAuditEvent(tx, event))
      await queueLimitedEmail(tx, limits, { ...email, toAddress: user.email, now });
  });
}

/** Idempotent: logging out without a session is no error. */
export async function logOut(deps: Pick<Deps, 'db' | 'clock' | 'appSecret'>, credentials: Credentials): Promise<void> {
  const organizer = await authenticate(deps, credentials);
  if (organizer) await removeSession(deps.db, organizer.sessionId);
}
