import { findNames, isPasswordUnchanged, lockUser, setPassword } from '#server/accounts/accounts.sql.ts';
import { requireUncommonPassword } from '#server/accounts/deny-password.ts';
import { removeLinks } from '#server/accounts/email-links.sql.ts';
import { confirmPassword } from '#server/accounts/login/confirm-password.ts';
import { hashPassword } from '#server/accounts/passwords.ts';
import { removeOtherSessions } from '#server/accounts/sessions.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';

/** Takes the present password, so that a stolen session can't keep the account. Ends all other sessions. */
export async function changePassword(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'takesRealMoney'>,
  organizer: Organizer,
  { password, newPassword, ip }: { password: string; newPassword: string; ip: string },
): Promise<void> {
  const { db, clock } = deps;
  const { userId, sessionId } = organizer;
  const presentHash = await confirmPassword(deps, organizer, { password, ip });
  requireUncommonPassword(deps, newPassword, await findNames(db, organizer.userId));
  // Before the transaction: hashing may queue, and must not hold a connection meanwhile.
  const passwordHash = await hashPassword(newPassword);
  await inTransaction(db, async (tx) => {
    const now = clock.now();
    const user = await lockUser(tx, userId);
    // A reset by email since the check has ended this session.
    if (!user || !(await isPasswordUnchanged(tx, userId, presentHash))) throw new AppError('session.missing');
    await setPassword(tx, userId, passwordHash);
    await recordAuditEvent(tx, { action: 'change-password', by: organizer, subject: userId, at: now });
    await removeOtherSessions(tx, { userId, sessionId });
    await removeLinks(tx, userId, ['reset-password', 'change-email']);
    const email = { kind: 'password-changed', subjectId: newId(), params: {}, accountId: userId } as const;
    await queueEmail(tx, { ...email, toAddress: user.email, now });
  });
}
