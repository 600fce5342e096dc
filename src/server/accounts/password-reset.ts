import { passwordReset, resetErrors, resetLinkSent } from '#contract/accounts.ts';
import { invalid } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { findCredentials, lockUser, removeSessionsOf, setPassword } from './accounts.sql.ts';
import { removeLinks, takeResetLink, userOfLink } from './email-links.sql.ts';
import { makeEmailLink } from './email-links.ts';
import { hashOf, hashPassword } from './passwords.ts';

interface ResetRequest {
  email: string;
  honeypot?: string | undefined;
  ip: string;
}

/**
 * Answers the same, after the same work, whoever asks for whatever address. Whether there is an account is looked up
 * later, by a job: here not even the time of the answer could tell.
 */
export async function requestPasswordReset(
  { db, tries }: Pick<Deps, 'db' | 'tries'>,
  { email, honeypot, ip }: ResetRequest,
): Promise<{ msg: string }> {
  // Silently: a refusal would tell a stranger that somebody else asks for this address, too.
  if (!honeypot && !(await isTooOften(tries, email, ip))) await enqueue(db, 'send-reset-link', { email });
  return { msg: resetLinkSent };
}

async function isTooOften(tries: Deps['tries'], email: string, ip: string): Promise<boolean> {
  if ((await tries.spend('forgot-password-address', ip)) !== null) return true;
  return (await tries.spend('forgot-password', email.toLowerCase())) !== null;
}

/** Mails a link to whoever has an account with this address. The newest link is the only one that works. */
export async function sendResetLink(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { email }: { email: string },
): Promise<void> {
  const found = await findCredentials(db, email);
  if (!found) return;

  await inTransaction(db, async (tx) => {
    const user = await lockUser(tx, found.id);
    if (!user) return;
    const now = clock.now();
    await removeLinks(tx, user.id, ['reset-password']);
    const link = { userId: user.id, email: user.email, purpose: 'reset-password' as const, now };
    const { token, subjectId } = await makeEmailLink(tx, link);
    const mail = { kind: 'reset-password', subjectId, params: { token }, accountId: user.id } as const;
    await queueEmail(tx, { ...mail, toAddress: user.email, now });
  });
}

/** Sets the password and ends every session. Logs nobody in: that takes the new password. */
export async function resetPassword(
  { db, clock, tries }: Pick<Deps, 'db' | 'clock' | 'tries'>,
  { token, newPassword, ip }: { token: string; newPassword: string; ip: string },
): Promise<string> {
  const tokenHash = hashOf(token);
  const userId = await userOfLink(db, tokenHash, ['reset-password'], clock.now());
  if (userId) {
    // After the first look at the link, so that guesses cost no hashing; before the transaction, because hashing waits its turn.
    const passwordHash = await hashPassword(newPassword);
    if (await replacePassword({ db, clock }, { userId, tokenHash, passwordHash })) return passwordReset;
  }
  await consumeLimit(tries, 'mailed-link', ip);
  throw invalid(resetErrors['unknown-token']);
}

function replacePassword(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, tokenHash, passwordHash }: { userId: string; tokenHash: Buffer; passwordHash: string },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const now = clock.now();
    const user = await lockUser(tx, userId);
    // Taking the link decides: of two people who send it at once, one sets the password.
    if (!user || !(await takeResetLink(tx, tokenHash, now))) return false;

    await setPassword(tx, userId, passwordHash);
    await recordAuditEvent(tx, { act: 'change-password', actorId: userId, subject: userId, at: now });
    await removeSessionsOf(tx, userId);
    // A change of the address that an intruder began ends here, too.
    await removeLinks(tx, userId, ['reset-password', 'change-email']);
    const subjectId = tokenHash.toString('hex');
    const mail = { kind: 'password-changed', subjectId, params: {}, accountId: userId } as const;
    await queueEmail(tx, { ...mail, toAddress: user.email, now });
    return true;
  });
}
