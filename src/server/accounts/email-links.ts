import { type verifyEmail } from '#contract/app/accounts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { emailChanged, emailChangeUndone, emailVerified } from '#messages/accounts.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { isEmailTaken, lockEmail, lockUser, markEmailVerified, removeUserSessions, setEmail } from './accounts.sql.ts';
import {
  addEmailLink,
  extendUndoLinks,
  findLinkUser,
  type LinkPurpose,
  lockLink,
  markLinkUsed,
  removeLinks,
  removeOtherLinks,
} from './email-links.sql.ts';
import { hashSecret, newSecret } from './passwords.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Long enough for a delayed email. A password reset link is short-lived because it gives access to the account. */
const LINK_LIFETIME_MS: Record<LinkPurpose, number> = {
  'verify-email': 24 * HOUR_MS,
  'reset-password': HOUR_MS / 2,
  'change-email': 24 * HOUR_MS,
  'undo-email-change': 72 * HOUR_MS,
};

/** Only the hash of `token` is stored, so this is the only chance to email it. `subjectId` identifies the link in the outbox. */
export async function createEmailLink(
  tx: Db,
  link: { userId: string; email: string; purpose: LinkPurpose; now: Date },
): Promise<{ token: string; subjectId: string }> {
  const { userId, email, purpose, now } = link;
  const token = newSecret();
  const tokenHash = hashSecret(token);
  const expiresAt = new Date(now.getTime() + LINK_LIFETIME_MS[purpose]);
  await addEmailLink(tx, { tokenHash, userId, purpose, email, createdAt: now, expiresAt, usedAt: null });
  return { token, subjectId: tokenHash.toString('hex') };
}

/** Applies an emailed link. Repeatable until the link expires, because mail scanners open links before people do. */
export async function openEmailLink(
  { db, clock, rateLimiter }: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  { token, ip }: { token: string; ip: string },
): Promise<ReplyOf<typeof verifyEmail>> {
  const result = await inTransaction(db, (tx) => applyLink(tx, hashSecret(token), clock.now()));
  if (result) return result;

  await consumeLimit(rateLimiter, 'emailed-link', ip);
  throw new AppError('email-verification.unknown-token');
}

type LinkContext = { userId: string; currentEmail: string; link: NonNullable<Awaited<ReturnType<typeof lockLink>>> };
type LinkAction = Exclude<LinkPurpose, 'reset-password'>;

const effects: Record<LinkAction, (tx: Db, context: LinkContext, now: Date) => Promise<string | null>> = {
  async 'verify-email'(tx, { userId, link }, now) {
    return (await markEmailVerified(tx, userId, link.email, now)) ? emailVerified : null;
  },

  async 'change-email'(tx, { userId, currentEmail, link }, now) {
    if (currentEmail === link.email) return emailChanged;
    if (!(await changeAddress(tx, { userId, email: link.email, now }))) return null;

    await removeLinks(tx, userId, ['reset-password', 'verify-email']);
    // Restarts the undo period, so the old address has all of it after losing the account.
    await extendUndoLinks(tx, userId, currentEmail, new Date(now.getTime() + LINK_LIFETIME_MS['undo-email-change']));
    return emailChanged;
  },

  async 'undo-email-change'(tx, { userId, currentEmail, link }, now) {
    const isRestored = currentEmail === link.email;
    if (link.usedAt && isRestored) return emailChangeUndone;
    if (!isRestored && !(await changeAddress(tx, { userId, email: link.email, now }))) return null;

    await removeUserSessions(tx, userId);
    // Including links of someone who took over the account, which could take it again.
    await removeOtherLinks(tx, userId, link.tokenHash);
    return emailChangeUndone;
  },
};

async function applyLink(tx: Db, tokenHash: Buffer, now: Date): Promise<ReplyOf<typeof verifyEmail> | null> {
  const purposes: LinkAction[] = ['verify-email', 'change-email', 'undo-email-change'];
  const userId = await findLinkUser(tx, tokenHash, purposes, now);
  // User before link, the lock order everywhere. The link may be gone by now, so it is read again.
  const user = userId && (await lockUser(tx, userId));
  const link = user && (await lockLink(tx, tokenHash, now));
  if (!link || link.purpose === 'reset-password') return null;

  await markLinkUsed(tx, tokenHash, now);
  const msg = await effects[link.purpose](tx, { userId: user.id, currentEmail: user.email, link }, now);
  return msg === null ? null : { msg, endsSessions: link.purpose !== 'verify-email' };
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
