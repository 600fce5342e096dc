import { wrongLogin } from '#contract/accounts.ts';
import { SESSION_HOURS } from '#contract/retention.ts';
import { signedOut } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import type { Attempt } from '#server/platform/ports/rate-limiter.ts';
import { countFailure, takeSlot } from '#server/platform/rate-limit.ts';
import { addSession, findCredentials, hasStillPassword, keepNewestSessions, removeSession } from './accounts.sql.ts';
import { authenticate } from './authenticate.ts';
import { hashOf, isPassword, newSecret } from './passwords.ts';
import { writeSessionToken } from './session-token.ts';

interface LogIn {
  email: string;
  password: string;
  honeypot?: string | undefined;
  ip: string;
  isFromBrowser: boolean;
}

export interface NewSession {
  token: string;
  /** For an HttpOnly cookie: without it a token that leaked from this browser opens nothing. */
  binding: string | null;
  sessionId: string;
  lifetimeSeconds: number;
}

const LIFETIME_SECONDS = SESSION_HOURS * 60 * 60;
const SESSIONS_PER_USER = 10;

/**
 * No account has such an address. The database takes some letters for the small form of others, an İ for an i: each way to
 * write an address would have a budget of its own.
 */
const NO_ADDRESS = /[^ -~]/;

export async function logIn(
  { db, clock, tries, appSecret }: Pick<Deps, 'db' | 'clock' | 'tries' | 'appSecret'>,
  { email, password, honeypot, ip, isFromBrowser }: LogIn,
): Promise<NewSession> {
  const guesses = attemptsOf(email, ip);
  await takeSlot(tries, guesses);
  const user = NO_ADDRESS.test(email) ? undefined : await findCredentials(db, email);
  // Only failures are counted, after the fact, so that nobody can lock an organizer out by guessing badly.
  const isRight = await isPassword(user?.passwordHash ?? null, password);
  if (!user || !isRight || honeypot) return refuse({ db, clock, tries }, user, guesses);

  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + LIFETIME_SECONDS * 1000);
  const binding = isFromBrowser ? newSecret() : null;
  const session = { id: newId(), userId: user.id, createdAt, lastSeenAt: createdAt, expiresAt };
  const isOpened = await inTransaction(db, async (tx) => {
    // A reset that came between the check and here has ended all sessions: this one must not begin after it.
    if (!(await hasStillPassword(tx, user.id, user.passwordHash))) return false;
    await addSession(tx, { ...session, bindingHash: binding === null ? null : hashOf(binding) });
    await keepNewestSessions(tx, user.id, SESSIONS_PER_USER, createdAt);
    return true;
  });
  if (!isOpened) throw signedOut(wrongLogin);

  const claims = { sessionId: session.id, userId: user.id, isAdmin: user.isAdmin, createdAt, expiresAt };
  const token = await writeSessionToken(appSecret, claims);
  return { token, binding, sessionId: session.id, lifetimeSeconds: LIFETIME_SECONDS };
}

/** Strangers who guess from many places wait in lines of their own, apart from the organizer's. */
function attemptsOf(email: string, ip: string): Attempt[] {
  const account = email.toLowerCase();
  return [
    { budget: 'login-address', key: ip },
    { budget: 'login', key: `${ip} ${account}` },
    { budget: 'login-account', key: account, line: `${ip} ${account}` },
  ];
}

type User = NonNullable<Awaited<ReturnType<typeof findCredentials>>>;

/** Answers an unknown address and a filled trap like a wrong password. */
async function refuse(
  deps: Pick<Deps, 'db' | 'clock' | 'tries'>,
  user: User | undefined,
  guesses: readonly Attempt[],
): Promise<never> {
  await countFailure(deps.tries, guesses, async (budget) => {
    if (user && budget === 'login-account') await warnOfFailedLogins(deps, user);
  });
  throw signedOut(wrongLogin);
}

/** Once an hour at most, however long it goes on. */
async function warnOfFailedLogins({ db, clock }: Pick<Deps, 'db' | 'clock'>, user: User): Promise<void> {
  const now = clock.now();
  const subjectId = `${user.id} ${now.toISOString().slice(0, 'YYYY-MM-DDTHH'.length)}`;
  const mail = { kind: 'password-guessed', subjectId, params: {}, accountId: user.id } as const;
  await queueEmail(db, { ...mail, toAddress: user.email, now });
}

/** Ends the session if there is one: asking twice, or without one, is no error. */
export async function logOut(
  deps: Pick<Deps, 'db' | 'clock' | 'appSecret'>,
  credentials: { token: string | undefined; binding: string | undefined },
): Promise<void> {
  const organizer = await authenticate(deps, credentials);
  if (organizer) await removeSession(deps.db, organizer.sessionId);
}
