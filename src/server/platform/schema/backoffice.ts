import type { Generated } from 'kysely';
import type { ReportReason } from '#contract/app/abuse-reports.ts';
import type { BrakeAction } from '#messages/operations/brakes.ts';

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
