import { resetLinkSent } from '#messages/accounts.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { findCredentials, findNames, lockUser, setPassword } from './accounts.sql.ts';
import { requireUncommonPassword } from './deny-password.ts';
import { consumeResetLink, findLinkUser, removeLinks } from './email-links.sql.ts';
import { sendEmailLink } from './email-links.ts';
import { type Browser, remember } from './known-browsers.ts';
import { hashPassword, hashSecret } from './passwords.ts';
import { suspectPayoutAccounts } from './payout-accounts.sql.ts';
import { proveEmail } from './prove-email.ts';
import { removeUserSessions } from './sessions.sql.ts';

interface ResetRequest {
  email: string;
  honeypot?: string | undefined;
  ip: string;
}

/**
 * Responds the same, after the same work, for every email. A job looks up the account later, so that the response time
 * can't reveal whether one exists.
 */
export async function requestPasswordReset(
  { db, rateLimiter }: Pick<Deps, 'db' | 'rateLimiter'>,
  { email, honeypot, ip }: ResetRequest,
): Promise<{ msg: string }> {
  // Limited silently: an error would reveal that someone else requested a reset for this email.
  if (!honeypot && !(await isRateLimited(rateLimiter, email, ip))) await enqueue(db, 'send-reset-link', { email });
  return { msg: resetLinkSent };
}

async function isRateLimited(rateLimiter: Deps['rateLimiter'], email: string, ip: string): Promise<boolean> {
  if ((await rateLimiter.consume('forgot-password-address', ip)) !== null) return true;
  return (await rateLimiter.consume('forgot-password', email.toLowerCase())) !== null;
}

/** Emails a reset link if there is an account. */
export async function sendResetLink(
  { db, clock, ...limits }: Pick<Deps, 'db' | 'clock' | 'appSecret' | 'rateLimitScale'>,
  { email }: { email: string },
): Promise<void> {
  const account = await findCredentials(db, email);
  if (!account) return;

  await inTransaction(db, async (tx) => {
    const user = await lockUser(tx, account.id);
    if (!user) return;
    const link = { userId: user.id, email: user.email, purpose: 'reset-password', now: clock.now() } as const;
    await sendEmailLink(tx, limits, link);
  });
}

interface Reset extends Browser {
  token: string;
  newPassword: string;
}

/**
 * Sets the password and ends every session. Does not log in: that takes the new password. The browser counts as known from then on,
 * so that its owner can log in while others guess.
 */
export async function resetPassword(
  { db, clock, rateLimiter, takesRealMoney }: Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'takesRealMoney'>,
  { token, newPassword, ...browser }: Reset,
): Promise<{ browserSecret: string | null }> {
  const tokenHash = hashSecret(token);
  const userId = await findLinkUser(db, tokenHash, ['reset-password'], clock.now());
  if (userId) {
    requireUncommonPassword({ takesRealMoney }, newPassword, await findNames(db, userId));
    // After checking the link, so a guessed token costs no hashing. Before the transaction, because hashing may queue.
    const passwordHash = await hashPassword(newPassword);
    const remembered = await replacePassword({ db, clock }, { userId, tokenHash, passwordHash, browser });
    if (remembered) return remembered;
  }
  await consumeLimit(rateLimiter, 'emailed-link', browser.ip);
  throw new AppError('password-reset.unknown-token');
}

function replacePassword(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  {
    userId,
    tokenHash,
    passwordHash,
    browser,
  }: { userId: string; tokenHash: Buffer; passwordHash: string; browser: Browser },
): Promise<{ browserSecret: string | null } | null> {
  return inTransaction(db, async (tx) => {
    const now = clock.now();
    const user = await lockUser(tx, userId);
    // Deleting the link decides between concurrent requests.
    if (!user || !(await consumeResetLink(tx, tokenHash, now))) return null;

    // Only the owner of the inbox can open the link.
    await proveEmail(tx, user, now);
    await setPassword(tx, userId, passwordHash);
    // Someone else may have changed where payouts go, or may have read the link.
    await suspectPayoutAccounts(tx, userId);
    await recordAuditEvent(tx, { action: 'change-password', actorId: userId, subject: userId, at: now });
    await removeUserSessions(tx, userId);
    // Also stops an email change started by an intruder.
    await removeLinks(tx, userId, ['reset-password', 'change-email']);
    const subjectId = tokenHash.toString('hex');
    const message = { kind: 'password-changed', subjectId, params: {}, accountId: userId } as const;
    await queueEmail(tx, { ...message, toAddress: user.email, now });
    return remember(tx, userId, { ...browser, at: now });
  });
}
