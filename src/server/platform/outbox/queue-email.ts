import type { UnfulfillableReason } from '#contract/checkout-words.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { insertEmail } from './outbox.sql.ts';

/** An occasion to write to someone. What it is about decides the template; `version` is for writing again. */
export type QueuedEmail = EmailSubject & { version?: number; toAddress: string; now: Date };

/** Mails about an account go with it. */
type EmailSubject = (AboutAccount & { accountId: string }) | AboutPurchase;

type AboutAccount =
  /** The subject is the link: anything that differs from link to link, never the token itself. */
  | {
      kind: 'verify-email' | 'reset-password' | 'confirm-new-email';
      subjectId: string;
      params: { token: string };
    }
  | { kind: 'email-change-notice'; subjectId: string; params: { token: string; newEmail: string } }
  | { kind: 'password-changed' | 'account-info-changed'; subjectId: string; params: Record<never, never> }
  /** The subject is the account and the hour. */
  | { kind: 'password-guessed'; subjectId: string; params: Record<never, never> }
  /** The subject is a payout. */
  | { kind: 'payout-sent'; subjectId: string; params: { eventId: string } }
  /** The subject is a dispute. */
  | { kind: 'dispute-opened' | 'dispute-ended'; subjectId: string; params: { eventId: string } };

type AboutPurchase =
  /** The subject is the link, as above. */
  | { kind: 'records-link'; subjectId: string; params: { token: string } }
  /** The subject is the change and the buyer's address: each buyer is told once of each change. */
  | { kind: 'event-changed'; subjectId: string; params: { eventId: string; changeId: string } }
  /** The subject is an order: all its tickets. */
  | { kind: 'tickets'; subjectId: string; params: { eventId: string } }
  /** The subject is an order that was paid and got no tickets. */
  | { kind: 'order-unfillable'; subjectId: string; params: { eventId: string; reason: UnfulfillableReason } }
  /** The subject is one ticket. */
  | { kind: 'ticket'; subjectId: string; params: { eventId: string } }
  /** The subject is a refund. */
  | { kind: RefundEmailKind; subjectId: string; params: { eventId: string } }
  /** The subject is the event and the buyer's address: each buyer is told once, about all of their tickets. */
  | { kind: 'event-cancelled'; subjectId: string; params: { eventId: string; buyerEmail: string } };

/** Asked for and held back, sent, refused, and undeliverable. */
export type RefundEmailKind = 'refund-requested' | 'refund-accepted' | 'refund-refused' | 'refund-failed';

export type EmailKind = QueuedEmail['kind'];

/**
 * Writes the mail down and queues the sending, both in the caller's transaction: the mail goes out
 * if, and only if, what it tells about has happened. The same occasion twice makes one mail.
 */
export async function queueEmail(db: Db, mail: QueuedEmail): Promise<void> {
  if (!db.isTransaction) return inTransaction(db, (tx) => queueEmail(tx, mail));

  const mailId = await insertEmail(db, {
    kind: mail.kind,
    subjectId: mail.subjectId,
    version: mail.version ?? 1,
    toAddress: mail.toAddress,
    params: mail.params,
    createdAt: mail.now,
    accountId: 'accountId' in mail ? mail.accountId : null,
  });
  if (mailId) await enqueue(db, 'send-mail', { mailId });
}
