import type { ColumnType, Generated } from 'kysely';
import type { ActorKind } from '#domain/accounts/audit-actions.ts';

export interface PlatformTables {
  businessClock: { isTheOnlyRow: Generated<boolean>; offsetSeconds: Generated<number> };
  auditEvents: {
    id: string;
    at: Date;
    actorId: string | null;
    actorKind: ActorKind;
    organizationId: string | null;
    sessionId: string | null;
    action: string;
    subject: string;
    eventId: string | null;
    networkHash: string | null;
    params: ColumnType<Record<string, string | number | boolean>, string | undefined, never>;
  };
  networkKeys: { year: number; key: Buffer; madeAt: Date };
  rateLimits: { key: string; points: Generated<number>; expire: number | null };
  emailOutbox: {
    id: string;
    kind: string;
    subjectId: string;
    version: Generated<number>;
    toAddress: string;
    params: ColumnType<unknown, string | undefined, string>;
    createdAt: Date;
    sentAt: Date | null;
    accountId: string | null;
    state: Generated<'queued' | 'sent' | 'not-sent'>;
    recipientHash: Generated<Buffer | null>;
  };
  proxyHeaderCounts: { trustedProxies: number; day: string; requests: number; contradicting: number };
  inboxMessages: { id: string; messageId: string; toAddress: string; raw: Buffer; receivedAt: Date };
  apiIdempotency: {
    keyId: string;
    idempotencyKey: string;
    id: string;
    requestHash: Buffer;
    attempt: Generated<number>;
    runningUntil: Date;
    /** Null until it was answered. */
    status: number | null;
    /** The body, sealed. */
    answer: Buffer | null;
    createdAt: Date;
  };
  workerHeartbeats: { id: string; seenAt: Date };
}
