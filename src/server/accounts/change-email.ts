import { changeLinkSent, emailChanged, emailChangeUndone } from '#messages/accounts.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import type { EmailLimits } from '#server/platform/outbox/queue-limited-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { isEmailTaken, lockEmail, lockUser, removeFactorsSince, setEmail, setPassword } from './accounts.sql.ts';
import { extendUndoLinks, removeLinks, removeLinksToOthers, removeOtherLinks } from './email-links.sql.ts';
import { applyEmailLink, createEmailLink, LINK_LIFETIME_MS, sendEmailLink } from './email-links.ts';
import { requireReauthentication } from './policies.ts';
import { endKeysOf, removeUserSessions } from './sessions.sql.ts';

/**
 * Emails a confirmation link to the new address, and a link that stops or undoes the change to the old one.
 * Nothing changes until the new address is confirmed.
 */
export async function changeEmail(
  { db, clock, rateLimiter, ...limits }: Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'appSecret' | 'rateLimitScale'>,
  organizer: Organizer,
  { newEmail, honeypot }: { newEmail: string; honeypot?: string | undefined },
): Promise<{ msg: string }> {
  requireReauthentication(organizer);
  if (!honeypot) {
    await consumeLimit(rateLimiter, 'change-email', organizer.userId);
    await inTransaction(db, (tx) => sendLinks(tx, limits, { userId: organizer.userId, newEmail, now: clock.now() }));
  }
  return { msg: changeLinkSent };
}

async function sendLinks(
  tx: Db,
  limits: EmailLimits,
  { userId, newEmail, now }: { userId: string; newEmail: string; now: Date },
) {
  const user = await lockUser(tx, userId);
  if (!user || user.email.toLowerCase() === newEmail.toLowerCase()) return;

  // An address that was never verified may be a stranger's, who has nothing to undo.
  if (user.emailVerifiedAt) {
    const undo = await createEmailLink(tx, limits, { userId, email: user.email, purpose: 'undo-email-change', now });
    const about = { kind: 'email-change-alert', subjectId: undo.id, params: { newEmail }, accountId: userId } as const;
    await queueEmail(tx, { ...about, toAddress: user.email, now });
  }

  await removeLinksToOthers(tx, userId, 'change-email', newEmail);
  // Neither the response nor the email to the old address reveals whether the new one is taken.
  if (await isEmailTaken(tx, newEmail, { now, exceptBy: userId })) return;
  await sendEmailLink(tx, limits, { userId, email: newEmail, purpose: 'change-email', now });
}

type LinkDeps = Pick<Deps, 'db' | 'clock' | 'rateLimiter'>;

export async function confirmEmailChange(
  deps: LinkDeps,
  click: { token: string; ip: string },
): Promise<{ msg: string }> {
  await applyEmailLink(deps, { ...click, purpose: 'change-email' }, async (tx, { user, link, now }) => {
    if (user.email === link.email) return true;
    if (!(await changeAddress(tx, { userId: user.id, email: link.email, now }))) return false;

    await removeLinks(tx, user.id, ['reset-password', 'verify-email']);
    // Restarts the undo period, so the old address has all of it after losing the account.
    await extendUndoLinks(tx, user.id, user.email, new Date(now.getTime() + LINK_LIFETIME_MS['undo-email-change']));
    return true;
  });
  return { msg: emailChanged };
}

/** Someone else may be logged in and know the password, so both end, and only the old address can set a new one. */
export async function undoEmailChange(
  deps: LinkDeps & Pick<Deps, 'appSecret'>,
  click: { token: string; ip: string },
): Promise<{ msg: string }> {
  await applyEmailLink(deps, { ...click, purpose: 'undo-email-change' }, async (tx, { user, link, now }) => {
    const isRestored = user.email === link.email;
    if (link.usedAt && isRestored) return true;
    if (!isRestored && !(await changeAddress(tx, { userId: user.id, email: link.email, now }))) return false;

    await setPassword(tx, user.id, null);
    // An intruder who changed the address may have added a phone of their own, or made themselves recovery codes.
    await removeFactorsSince(tx, user.id, link.createdAt);
    await recordAuditEvent(tx, { action: 'undo-email-change', actorId: user.id, subject: user.id, at: now });
    await removeUserSessions(tx, user.id);
    await endKeysOf(tx, { userId: user.id }, now);
    await enqueue(tx, 'end-webhooks', { userId: user.id, since: link.createdAt.toISOString() });
    // Including links of someone who took over the account, which could take it again.
    await removeOtherLinks(tx, user.id, link.tokenHash);
    // Without limits: its reader asked for it, and strangers must not be able to hold it back.
    const limits = { appSecret: deps.appSecret, rateLimitScale: 0 };
    await sendEmailLink(tx, limits, { userId: user.id, email: link.email, purpose: 'reset-password', now });
    return true;
  });
  return { msg: emailChangeUndone };
}

/** Changes the account's email and ends its sessions. False when another account has the email by now. */
async function changeAddress(
  tx: Db,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<boolean> {
  await lockEmail(tx, email);
  if (await isEmailTaken(tx, email, { now, exceptBy: userId })) return false;
  await setEmail(tx, userId, email, now);
  await recordAuditEvent(tx, { action: 'change-email', actorId: userId, subject: userId, at: now });
  await removeUserSessions(tx, userId);
  return true;
}
