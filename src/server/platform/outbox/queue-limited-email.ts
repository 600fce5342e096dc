/** Emails that a stranger can cause: all of them together are limited per recipient. */
import { createHmac } from 'node:crypto';
import { SAME_LINK_PER_HOUR, STRANGER_EMAILS_PER_DAY, STRANGER_EMAILS_PER_HOUR } from '#domain/limits.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type AppSecret, deriveKey } from '#server/platform/secrets.ts';
import { insertLimitedEmail } from './outbox.sql.ts';

/** The subject is the id of the link, from which the template derives its token. */
export type LimitedEmail = { subjectId: string; toAddress: string; now: Date } & (
  | { kind: 'verify-email' | 'reset-password' | 'confirm-new-email' | 'login-code'; accountId: string }
  /** Only of an account whose address was never verified: a stranger may have typed it. */
  | { kind: 'email-change-alert'; accountId: string; params: { newEmail: string } }
  | { kind: 'records-link' | 'invitation' }
  /** The subject is the proof of a free order. */
  | { kind: 'free-order-code' | 'free-order-limit' }
  /** The subject is the message. */
  | { kind: 'contact-copy'; params: { eventId: string; message: string } }
  /** The subject is the ticket. */
  | { kind: 'ticket-transferred-to-you'; params: { eventId: string } }
  /** The subject is the request. */
  | { kind: 'my-tickets' }
  /** The subject is the account and the hour. */
  | { kind: 'password-guessed'; accountId: string }
);

export type EmailLimits = Pick<Deps, 'appSecret' | 'rateLimitScale'>;

/**
 * Queues the email, or stores it as not sent once the recipient's limit is reached. Callers answer the same in both cases: a sender
 * must not learn what others sent to an address. Returns whether the email is going out.
 */
export function queueLimitedEmail(
  tx: Db,
  { appSecret, rateLimitScale }: EmailLimits,
  email: LimitedEmail,
): Promise<boolean> {
  const scaled = (limit: number) => (rateLimitScale === 0 ? null : Math.max(1, Math.round(limit * rateLimitScale)));
  return insertLimitedEmail(tx, {
    kind: email.kind,
    subjectId: email.subjectId,
    toAddress: email.toAddress,
    params: 'params' in email ? email.params : {},
    createdAt: email.now,
    accountId: 'accountId' in email ? email.accountId : null,
    recipientHash: mailboxHash(appSecret, email.toAddress),
    hourMax: scaled(STRANGER_EMAILS_PER_HOUR),
    dayMax: scaled(STRANGER_EMAILS_PER_DAY),
    sameSubjectMax: scaled(SAME_LINK_PER_HOUR),
  });
}

/** The same for every spelling that reaches one mailbox: any letter case, any `+tag`. */
function mailboxHash(appSecret: AppSecret, address: string): Buffer {
  const mailbox = address
    .trim()
    .toLowerCase()
    .replace(/(?<=.)\+[^@]*(?=@)/, '');
  return createHmac('sha256', deriveKey(appSecret, 'email recipient')).update(mailbox).digest();
}
