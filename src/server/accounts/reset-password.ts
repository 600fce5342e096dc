import { passwordReset, resetRefusals } from '#contract/accounts.ts';
import { noteAct } from '#server/audit/note-act.ts';
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { queueMail } from '#server/mail/queue-mail.ts';
import { invalid } from '#server/refusal.ts';
import { spendTry } from '#server/spend-try.ts';
import { lockUser, removeSessionsOf, setPassword } from './accounts.sql.ts';
import { removeLinks, takeResetLink, userOfLink } from './email-links.sql.ts';
import { hashPassword } from './passwords.ts';
import { hashOf } from './secrets.ts';

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
  await spendTry(tries, 'mailed-link', ip);
  throw invalid(resetRefusals['unknown-token']);
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
    await noteAct(tx, { act: 'change-password', actorId: userId, subject: userId, at: now });
    await removeSessionsOf(tx, userId);
    // A change of the address that an intruder began ends here, too.
    await removeLinks(tx, userId, ['reset-password', 'change-email']);
    const subjectId = tokenHash.toString('hex');
    const mail = { kind: 'password-changed', subjectId, params: {}, accountId: userId } as const;
    await queueMail(tx, { ...mail, toAddress: user.email, now });
    return true;
  });
}
