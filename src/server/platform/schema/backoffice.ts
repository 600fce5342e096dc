import type { Generated } from 'kysely';
import type { ReportReason } from '#contract/app/abuse-reports.ts';
import type { DeliveredType, EndReason, WebhookType } from '#domain/accounts/webhooks.ts';
import type { BrakeAction } from '#messages/operations/brakes.ts';
import type { SendProblem } from '#server/platform/ports/webhook-sender.ts';

type RecordedAction =
  | 'retry'
  | 'refund-order'
  | 'paid-another-way'
  | 'write-off'
  | 'undo-check-in'
  | 'keep-check-in'
  | 'undo-check-ins'
  | 'keep-check-ins'
  | 'handle-reports'
  | BrakeAction;

export interface BackOfficeTables {
  abuseReports: {
    id: string;
    eventId: string;
    reason: ReportReason;
    text: string;
    networkHash: number | null;
    at: Date;
    handledAt: Generated<Date | null>;
    handledBy: Generated<string | null>;
  };
  disputeEvidence: { eventId: string; disputeId: string; sentBy: string; attemptedAt: Date; sentAt: Date | null };
  disputeStatements: { eventId: string; disputeId: string; text: string; writtenBy: string; writtenAt: Date };
  privacyLinks: { id: Generated<string>; tokenHash: Buffer; email: string; createdAt: Date; expiresAt: Date };
  erasures: {
    id: string;
    kind: 'organizer' | 'buyer' | 'organization';
    addressHash: string | null;
    accountHash: string | null;
    erasedAt: Date;
  };
  alerts: {
    id: string;
    kind: string;
    subject: string;
    raisedAt: Date;
    lastSentAt: Date | null;
    resolvedAt: Date | null;
  };
  fundsReading: {
    isTheOnlyRow: Generated<boolean>;
    organizersCents: number;
    buyersCents: number;
    balanceCents: number;
    readAt: Date;
  };
  fundsSnapshots: { day: string; root: string; owedCents: number; signature: string; publicKey: string };
  fundsLeaves: { day: string; organizationId: string; nonce: string; cents: number };
  webhookEndpoints: {
    id: string;
    organizationId: string;
    createdBy: string;
    url: string;
    types: WebhookType[];
    /** Null: all events, also future ones. */
    onlyEventIds: string[] | null;
    /** The secrets that sign: the present one, and the one before for a day. */
    secretsSealed: Buffer;
    createdAt: Date;
    /** The first failure since the last success. */
    failingSince: Date | null;
    /** When the owners were emailed about it. */
    warnedAt: Date | null;
    endedAt: Date | null;
    endReason: EndReason | null;
  };
  /** How far the changes of an organization have been read for its endpoints. */
  webhookReadings: { organizationId: string; upTo: string; nextAt: Generated<Date> };
  webhookDeliveries: {
    endpointId: string;
    id: string;
    type: DeliveredType;
    /** Null of a test. */
    eventId: string | null;
    /** What it tells of: an order, a ticket, a refund, a payout or an event. */
    objectId: string;
    /** Deliveries with the same subject are sent in their order. */
    subject: string;
    occurredAt: Date;
    state: Generated<'waiting' | 'delivered' | 'failed' | 'dropped'>;
    attempts: Generated<number>;
    nextAt: Date;
    /** Claimed until then, in real time. */
    sendingUntil: Date | null;
    attemptedAt: Date | null;
    answerStatus: number | null;
    problem: SendProblem | null;
    answerMs: number | null;
    deliveredAt: Date | null;
  };
  operatorActions: {
    id: string;
    operatorId: string;
    action: RecordedAction;
    kind: string;
    subject: string;
    eventId: string | null;
    cents: Generated<number>;
    note: Generated<string>;
    at: Date;
  };
}
