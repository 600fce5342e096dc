import { emailChanged, emailChangeUndone, emailVerified, type verifyEmail, verifyErrors } from '#contract/accounts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { invalid } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import {
  isAddressTaken,
  lockAddress,
  lockUser,
  markEmailVerified,
  removeSessionsOf,
  setEmail,
} from './accounts.sql.ts';
import {
  addEmailLink,
  type LinkPurpose,
  lockLink,
  markLinkUsed,
  prolongUndo,
  removeLinks,
  removeOtherLinks,
  userOfLink,
} from './email-links.sql.ts';
import { hashOf, newSecret } from './passwords.ts';

const HOUR = 60 * 60 * 1000;

/** Long enough for a mail that is late; a link that gives a password away is short. */
const LINK_LIFETIME: Record<LinkPurpose, number> = {
  'verify-email': 24 * HOUR,
  'reset-password': HOUR / 2,
  'change-email': 24 * HOUR,
  'undo-email-change': 72 * HOUR,
};

/** Makes a link in the caller's transaction. The secret is answered once, for the mail; `subjectId` names the link in the outbox. */
export async function makeEmailLink(
  tx: Db,
  link: { userId: string; email: string; purpose: LinkPurpose; now: Date },
): Promise<{ token: string; subjectId: string }> {
  const { userId, email, purpose, now } = link;
  const token = newSecret();
  const tokenHash = hashOf(token);
  const expiresAt = new Date(now.getTime() + LINK_LIFETIME[purpose]);
  await addEmailLink(tx, { tokenHash, userId, purpose, email, createdAt: now, expiresAt, usedAt: null });
  return { token, subjectId: tokenHash.toString('hex') };
}

/** Does what a mailed link is for, and says what was done. May be repeated while the link lives: mail scanners open links before people do. */
export async function openEmailLink(
  { db, clock, tries }: Pick<Deps, 'db' | 'clock' | 'tries'>,
  { token, ip }: { token: string; ip: string },
): Promise<ReplyOf<typeof verifyEmail>> {
  const opened = await inTransaction(db, (tx) => open(tx, hashOf(token), clock.now()));
  if (opened) return opened;

  await consumeLimit(tries, 'mailed-link', ip);
  throw invalid(verifyErrors['unknown-token']);
}

type Opened = { userId: string; currentEmail: string; link: NonNullable<Awaited<ReturnType<typeof lockLink>>> };
type Purpose = Exclude<LinkPurpose, 'reset-password'>;

const effects: Record<Purpose, (tx: Db, opened: Opened, now: Date) => Promise<string | null>> = {
  async 'verify-email'(tx, { userId, link }, now) {
    return (await markEmailVerified(tx, userId, link.email, now)) ? emailVerified : null;
  },

  async 'change-email'(tx, { userId, currentEmail, link }, now) {
    if (currentEmail === link.email) return emailChanged;
    if (!(await moveTo(tx, { userId, email: link.email, now }))) return null;

    await removeLinks(tx, userId, ['reset-password', 'verify-email']);
    // Counted from now, so that the old address has its full time from the moment it lost the account.
    await prolongUndo(tx, userId, currentEmail, new Date(now.getTime() + LINK_LIFETIME['undo-email-change']));
    return emailChanged;
  },

  async 'undo-email-change'(tx, { userId, currentEmail, link }, now) {
    const isBack = currentEmail === link.email;
    if (link.usedAt && isBack) return emailChangeUndone;
    if (!isBack && !(await moveTo(tx, { userId, email: link.email, now }))) return null;

    await removeSessionsOf(tx, userId);
    // Also the links of whoever took the account meanwhile: theirs would take it again.
    await removeOtherLinks(tx, userId, link.tokenHash);
    return emailChangeUndone;
  },
};

async function open(tx: Db, tokenHash: Buffer, now: Date): Promise<ReplyOf<typeof verifyEmail> | null> {
  const purposes: Purpose[] = ['verify-email', 'change-email', 'undo-email-change'];
  const userId = await userOfLink(tx, tokenHash, purposes, now);
  // The user first, as everyone does who changes both; the link may be gone by then.
  const user = userId && (await lockUser(tx, userId));
  const link = user && (await lockLink(tx, tokenHash, now));
  if (!link || link.purpose === 'reset-password') return null;

  await markLinkUsed(tx, tokenHash, now);
  const msg = await effects[link.purpose](tx, { userId: user.id, currentEmail: user.email, link }, now);
  return msg === null ? null : { msg, endsSessions: link.purpose !== 'verify-email' };
}

/** Gives the account the address and ends its sessions; false when somebody else has it by now. */
async function moveTo(tx: Db, { userId, email, now }: { userId: string; email: string; now: Date }): Promise<boolean> {
  await lockAddress(tx, email);
  if (await isAddressTaken(tx, email, { now, exceptBy: userId })) return false;
  await setEmail(tx, userId, email, now);
  await recordAuditEvent(tx, { act: 'change-email', actorId: userId, subject: userId, at: now });
  await removeSessionsOf(tx, userId);
  return true;
}
