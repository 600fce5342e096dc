import Bowser from 'bowser';
import type { LoginProof } from '#domain/accounts/factors.ts';
import { SESSION_HOURS } from '#domain/retention.ts';
import { type Browser, remember } from '#server/accounts/known-browsers.ts';
import { hashSecret, newSecret } from '#server/accounts/passwords.ts';
import { writeSessionToken } from '#server/accounts/session-token.ts';
import { addSession, pruneSessions } from '#server/accounts/sessions.sql.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';

/** What a person logs in with. */
export interface Device extends Browser {
  userAgent: string | undefined;
}

export interface NewSession {
  token: string;
  /** Value of an HttpOnly cookie. Without it, a token leaked from this browser is useless. */
  binding: string | null;
  sessionId: string;
  lifetimeSeconds: number;
  /** Value of the cookie by which the browser is known the next time; null for other clients. */
  browserSecret: string | null;
}

const LIFETIME_SECONDS = SESSION_HOURS * 60 * 60;
const SESSIONS_PER_USER = 10;

/** The caller has checked who logs in, and holds what would end the session. */
export async function openSession(
  { clock, appSecret }: Pick<Deps, 'clock' | 'appSecret'>,
  tx: Db,
  user: { id: string; email: string; isAdmin: boolean },
  { userAgent, proof, ...browser }: Device & { proof: LoginProof },
): Promise<NewSession> {
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + LIFETIME_SECONDS * 1000);
  const binding = browser.isFromBrowser ? newSecret() : null;
  const times = { createdAt, lastSeenAt: createdAt, reauthenticatedAt: createdAt, expiresAt };
  const session = { id: newId(), userId: user.id, ...times };
  const bindingHash = binding === null ? null : hashSecret(binding);
  const label = browserLabel(userAgent);
  await addSession(tx, { ...session, bindingHash, browserLabel: label });
  const { browserSecret, isNew } = await remember(tx, user.id, { ...browser, at: createdAt });
  const event = {
    action: 'log-in',
    actorId: user.id,
    sessionId: session.id,
    subject: user.id,
    params: { proof },
  } as const;
  await recordAuditEvent(tx, { ...event, at: createdAt, from: { ip: browser.ip, appSecret } });
  if (isNew) await reportNewLogin(tx, user, { sessionId: session.id, label, at: createdAt });
  await pruneSessions(tx, user.id, SESSIONS_PER_USER, createdAt);

  const claims = { sessionId: session.id, userId: user.id, isAdmin: user.isAdmin, createdAt, expiresAt };
  const token = await writeSessionToken(appSecret, claims);
  return { token, binding, sessionId: session.id, lifetimeSeconds: LIFETIME_SECONDS, browserSecret };
}

function reportNewLogin(
  tx: Db,
  user: { id: string; email: string },
  { sessionId, label, at }: { sessionId: string; label: string | null; at: Date },
) {
  const email = {
    kind: 'new-login',
    subjectId: sessionId,
    params: { device: label ?? '' },
    accountId: user.id,
  } as const;
  return queueEmail(tx, { ...email, toAddress: user.email, now: at });
}

/** Longer than any browser's. Parsing takes time in proportion to the length. */
const USER_AGENT_MAX = 512;

/** Of an unknown browser, Bowser returns what the header says: anyone's text, which would stand in an email. */
const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP));

/** `Chrome on Windows`; null for an API client or an unknown browser. */
function browserLabel(userAgent: string | undefined): string | null {
  if (!userAgent) return null;
  const { browser, os } = Bowser.parse(userAgent.slice(0, USER_AGENT_MAX));
  if (!browser.name || !os.name || !BROWSERS.has(browser.name)) return null;
  return `${browser.name} on ${os.name}`;
}
