import { wrongLogin } from '#contract/accounts.ts';
import { tooManyTries } from '#contract/sentences.ts';
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { newId } from '#server/new-id.ts';
import { Refusal, signedOut } from '#server/refusal.ts';
import { addSession, findCredentials, hasStillPassword, keepNewestSessions } from './accounts.sql.ts';
import { isPassword } from './passwords.ts';
import { hashOf, newSecret } from './secrets.ts';
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

const LIFETIME_SECONDS = 12 * 60 * 60;
const SESSIONS_PER_USER = 10;

export async function logIn(
  { db, clock, tries, appSecret }: Pick<Deps, 'db' | 'clock' | 'tries' | 'appSecret'>,
  { email, password, honeypot, ip, isFromBrowser }: LogIn,
): Promise<NewSession> {
  const user = await findCredentials(db, email);
  // Only failures are counted, after the fact, so that nobody can lock an organizer out by guessing badly.
  const isRight = await isPassword(user?.passwordHash ?? null, password);
  if (!user || !isRight || honeypot) throw await failure(tries, email, ip);

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

async function failure(tries: Deps['tries'], email: string, ip: string): Promise<Refusal> {
  const wait = Math.max(
    (await tries.spend('login', `${ip} ${email.toLowerCase()}`)) ?? 0,
    (await tries.spend('login-address', ip)) ?? 0,
  );
  return wait > 0 ? new Refusal('too-many', tooManyTries, wait) : signedOut(wrongLogin);
}
