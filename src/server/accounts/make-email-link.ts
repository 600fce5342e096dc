import type { Db } from '#server/database.ts';
import { addEmailLink, type LinkPurpose } from './email-links.sql.ts';
import { hashOf, newSecret } from './secrets.ts';

const HOUR = 60 * 60 * 1000;

/** Long enough for a mail that is late; a link that gives a password away is short. */
export const LINK_LIFETIME: Record<LinkPurpose, number> = {
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
