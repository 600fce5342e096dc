import Bowser from 'bowser';
import { SESSION_HOURS } from '#domain/retention.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Credentials } from '#server/platform/http/cookies.ts';
import { newId } from '#server/platform/ids.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import type { Attempt } from '#server/platform/ports/rate-limiter.ts';
import { countFailure, takeSlot } from '#server/platform/rate-limit.ts';
import { addSession, findCredentials, isPasswordUnchanged, pruneSessions, removeSession } from './accounts.sql.ts';
import { authenticate } from './authenticate.ts';
import { hashSecret, newSecret, verifyPassword } from './passwords.ts';
import { writeSessionToken } from './session-token.ts';

interface LogIn {
  email: string;
  password: string;
  honeypot?: string | undefined;
  ip: string;
  isFromBrowser: boolean;
  userAgent: string | undefined;
}

export interface NewSession {
  token: string;
  /** Value of an HttpOnly cookie. Without it, a token leaked from this browser is useless. */
  binding: string | null;
  sessionId: string;
  lifetimeSeconds: number;
}

const LIFETIME_SECONDS = SESSION_HOURS * 60 * 60;
const SESSIONS_PER_USER = 10;

/**
 * No account has such an email. PostgreSQL's `lower()` maps some letters to ASCII (İ to i), so each spelling would get
 * its own rate limit.
 */
const NOT_PRINTABLE_ASCII = /[^ -~]/;

export async function logIn(
  { db, clock, rateLimiter, appSecret }: Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'appSecret'>,
  { email, password, honeypot, ip, isFromBrowser, userAgent }: LogIn,
): Promise<NewSession> {
  const attempts = loginAttempts(email, ip);
  await takeSlot(rateLimiter, attempts);
  const user = NOT_PRINTABLE_ASCII.test(email) ? undefined : await findCredentials(db, email);
  // Only failures count, so failed attempts by others can't lock an organizer out.
  const passwordHash = user?.passwordHash ?? null;
  const isCorrect = await verifyPassword(passwordHash, password);
  if (!user || passwordHash === null || !isCorrect || honeypot)
    return rejectLogin({ db, clock, rateLimiter }, user, attempts);

  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + LIFETIME_SECONDS * 1000);
  const binding = isFromBrowser ? newSecret() : null;
  const times = { createdAt, lastSeenAt: createdAt, reauthenticatedAt: createdAt, expiresAt };
  const session = { id: newId(), userId: user.id, ...times };
  const isCreated = await inTransaction(db, async (tx) => {
    // A password reset since the check has ended all sessions and must end this one, too.
    if (!(await isPasswordUnchanged(tx, user.id, passwordHash))) return false;
    const bindingHash = binding === null ? null : hashSecret(binding);
    await addSession(tx, { ...session, bindingHash, browserLabel: browserLabel(userAgent) });
    await pruneSessions(tx, user.id, SESSIONS_PER_USER, createdAt);
    const [account, sessionId, from] = [user.id, session.id, { ip, appSecret }];
    await recordAuditEvent(tx, {
      action: 'log-in',
      actorId: account,
      sessionId,
      subject: account,
      at: createdAt,
      from,
    });
    return true;
  });
  if (!isCreated) throw new AppError('login.wrong');

  const claims = { sessionId: session.id, userId: user.id, isAdmin: user.isAdmin, createdAt, expiresAt };
  const token = await writeSessionToken(appSecret, claims);
  return { token, binding, sessionId: session.id, lifetimeSeconds: LIFETIME_SECONDS };
}

/** Longer than any browser's. Parsing takes time in proportion to the length. */
const USER_AGENT_MAX = 512;

/** `Chrome on Windows`; null for an API client or an unknown browser. */
function browserLabel(userAgent: string | undefined): string | null {
  if (!userAgent) return null;
  const { browser, os } = Bowser.parse(userAgent.slice(0, USER_AGENT_MAX));
  if (!browser.name || !os.name) return null;
  return `${browser.name} on ${os.name}`;
}

/** Attempts from other IP addresses are serialized separately, so they don't delay the organizer's. */
export function loginAttempts(email: string, ip: string): Attempt[] {
  const account = email.toLowerCase();
  return [
    { limit: 'login-address', key: ip },
    { limit: 'login', key: `${ip} ${account}` },
    { limit: 'login-account', key: account, queueKey: `${ip} ${account}` },
  ];
}

type User = NonNullable<Awaited<ReturnType<typeof findCredentials>>>;

/** The same response for a wrong password, an unknown email and a filled honeypot. */
async function rejectLogin(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  user: User | undefined,
  attempts: readonly Attempt[],
): Promise<never> {
  await countFailure(deps.rateLimiter, attempts, async (budget) => {
    if (user && budget === 'login-account') await warnOfFailedLogins(deps, user);
  });
  throw new AppError('login.wrong');
}

/** At most one email an hour: the hour is part of the outbox key. */
async function warnOfFailedLogins({ db, clock }: Pick<Deps, 'db' | 'clock'>, user: User): Promise<void> {
  const now = clock.now();
  const subjectId = `${user.id} ${now.toISOString().slice(0, 'YYYY-MM-DDTHH'.length)}`;
  const email = { kind: 'password-guessed', subjectId, params: {}, accountId: user.id } as const;
  await queueEmail(db, { ...email, toAddress: user.email, now });
  await recordAuditEvent(db, { action: 'failed-logins', subject: user.id, once: subjectId, at: now });
}

/** Idempotent: logging out without a session is no error. */
export async function logOut(deps: Pick<Deps, 'db' | 'clock' | 'appSecret'>, credentials: Credentials): Promise<void> {
  const organizer = await authenticate(deps, credentials);
  if (organizer) await removeSession(deps.db, organizer.sessionId);
}
