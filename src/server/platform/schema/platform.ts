import type { ColumnType, Generated } from 'kysely';

export interface PlatformTables {
  businessClock: { isTheOnlyRow: Generated<boolean>; offsetSeconds: Generated<number> };
  auditEvents: {
    id: string;
    at: Date;
    actorId: string | null;
    action: string;
    subject: string;
    eventId: string | null;
    networkHash: string | null;
  };
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
  workerHeartbeats: { id: string; seenAt: Date };
}
