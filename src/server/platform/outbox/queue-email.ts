import type { AccountChange } from '#domain/accounts/payout-account.ts';
import type { Role } from '#domain/accounts/roles.ts';
import { type UnfulfillableReason } from '#domain/payment.ts';
import type { Db } from '#server/platform/database.ts';
import { insertEmail } from './outbox.sql.ts';
import type { LimitedEmail } from './queue-limited-email.ts';

/** An email to send. `kind` selects the template; `version` allows sending it again. */
export type QueuedEmail = EmailSubject & { version?: number; toAddress: string; now: Date };

/** Emails about an account are deleted with it. */
type EmailSubject = (AboutAccount & { accountId: string }) | AboutPurchase;

type AboutAccount =
  /** The subject is the link that undoes the change. */
  | { kind: 'email-change-alert'; subjectId: string; params: { newEmail: string } }
  | {
      kind: 'password-changed' | 'factor-changed' | 'account-info-changed';
      subjectId: string;
      params: Record<never, never>;
    }
  /** The subject is the session. */
  | { kind: 'new-login'; subjectId: string; params: { device: string } }
  | { kind: 'recovery-code-used'; subjectId: string; params: { left: string } }
  /** The subject is the occasion. */
  | { kind: 'role-changed' | 'member-removed'; subjectId: string; params: { organizationId: string; role?: Role } }
  /** Names the organization, because its row no longer does. */
  | { kind: 'organization-deleted'; subjectId: string; params: { organizationName: string } }
  | AboutCheckIn
  | AboutOrganization;

/** The members who check guests in get it. The subject is the occasion, followed by the account. */
export interface AboutCheckIn {
  kind: 'check-in-hours-changed';
  subjectId: string;
  params: { eventId: string };
}

/** Its owners get it. The subject is followed by the account. */
export type AboutOrganization =
  | { kind: 'api-key-created'; subjectId: string; params: Record<never, never> }
  /** The subject is the endpoint, or the occasion. */
  | {
      kind: 'webhook-created' | 'webhook-failing' | 'webhook-ended';
      subjectId: string;
      params: { endpointId: string; host: string };
    }
  | { kind: 'viewed-by-support'; subjectId: string; params: Record<never, never> }
  /** One email each time a brake goes on or off. */
  | {
      kind: BrakeEmailKind;
      subjectId: string;
      params: { action: string; reason: string; organizationId: string; eventId: string | null };
    }
  /** The subject is the message. `from`: where the answer goes. */
  | {
      kind: 'contact';
      subjectId: string;
      params: { eventId: string; from: string; message: string; buyerName: string | null; isBuyer: boolean };
    }
  /** The subject is the draft, and when its owners were last emailed about it. */
  | { kind: 'draft-deletion-ahead'; subjectId: string; params: { eventId: string; deletedAt: string } }
  | { kind: 'payout-account-restricted'; subjectId: string; params: { change: AccountChange } }
  /** The subject is a payout. */
  | { kind: 'payout-sent'; subjectId: string; params: { eventId: string } }
  /** The subject is a dispute. */
  | { kind: 'dispute-opened' | 'evidence-due' | 'dispute-ended'; subjectId: string; params: { eventId: string } };

type AboutPurchase =
  /** The subject is one occasion; the counts are by kind of alert. */
  | { kind: 'alert'; subjectId: string; params: { counts: Record<string, number> } }
  /** The subject is the change plus the buyer's address: one email per buyer and change. */
  | { kind: 'event-changed'; subjectId: string; params: { eventId: string; changeId: string } }
  /** The subject is an order. */
  | { kind: 'tickets'; subjectId: string; params: { eventId: string } }
  /** The subject is a paid order that got no tickets. */
  | { kind: 'order-unfulfillable'; subjectId: string; params: { eventId: string; reason: UnfulfillableReason } }
  /** The subject is one ticket. */
  | { kind: 'ticket'; subjectId: string; params: { eventId: string } }
  /** The subject is one ticket. To the holder before; the version is the transfer. */
  | { kind: 'ticket-transferred'; subjectId: string; params: { eventId: string } }
  /** The subject is a refund of a transferred ticket. To its holder. */
  | { kind: HolderEmailKind; subjectId: string; params: { eventId: string } }
  /** The subject is an order. To the address that it had. */
  | { kind: 'email-corrected'; subjectId: string; params: { eventId: string } }
  /** The subject is a refund. */
  | { kind: RefundEmailKind; subjectId: string; params: { eventId: string } }
  /** The subject is an early check-in. */
  | { kind: 'early-check-in' | 'early-check-in-decided'; subjectId: string; params: { eventId: string } }
  /** The subject is the event plus the buyer's address: one email per buyer. */
  | { kind: 'event-cancelled'; subjectId: string; params: { eventId: string; buyerEmail: string } };

/** Requested and waiting, sent, denied, and failed; one of 0 that ended a comp; and the first of those that a member made. */
export type RefundEmailKind =
  | 'refund-requested'
  | 'refund-accepted'
  | 'refund-refused'
  | 'refund-failed'
  | 'comp-withdrawn'
  | 'refunded-by-organizer';

/** The same to the holder of a transferred ticket. */
export type HolderEmailKind = 'holder-refund-requested' | 'holder-refunded' | 'holder-ticket-restored';

export type BrakeEmailKind = 'sales-stopped' | 'suspended' | 'payout-on-hold' | 'resumed';

export type EmailKind = QueuedEmail['kind'] | LimitedEmail['kind'];

/**
 * Stores the email and enqueues its delivery in the caller's transaction, so it is sent if and only if the change commits.
 * Queuing the same subject and version twice sends one email.
 */
export async function queueEmail(db: Db, email: QueuedEmail): Promise<void> {
  await insertEmail(db, {
    kind: email.kind,
    subjectId: email.subjectId,
    version: email.version ?? 1,
    toAddress: email.toAddress,
    params: email.params,
    createdAt: email.now,
    accountId: 'accountId' in email ? email.accountId : null,
  });
}
