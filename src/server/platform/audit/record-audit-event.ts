/** Records an audit event in the transaction of the action itself. Entries are never changed. */
import { createHmac } from 'node:crypto';
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { deriveKey } from '#server/platform/secrets.ts';
import { insertEntry } from './audit.sql.ts';

export type AuditEvent =
  | 'export-records'
  | 'delete-account'
  | 'delete-records'
  | 'change-password'
  | 'change-factors'
  | 'renew-recovery-codes'
  | 'require-factor'
  | 'end-session'
  | 'change-email'
  | 'undo-email-change'
  | 'confirm-payout-account'
  | 'remove-unproven-set-up'
  | 'rotate-attendant-code'
  | 'remove-check-in-device'
  | 'undo-check-in'
  | 'object-to-check-in'
  | 'undo-check-ins'
  | 'keep-check-in'
  | 'keep-check-ins'
  | 'cancel-event'
  | 'request-payout'
  | 'request-refund';

interface Entry {
  action: AuditEvent;
  /** An account or a check-in device; null for an anonymous actor. */
  actorId: string | null;
  subject: string;
  eventId?: string;
  at: Date;
  from?: { ip: string; appSecret: string };
}

export async function recordAuditEvent(tx: Db, { from, eventId, ...entry }: Entry): Promise<void> {
  await insertEntry(tx, {
    ...entry,
    id: newId(),
    eventId: eventId ?? null,
    networkHash: from ? networkHash(from) : null,
  });
}

function networkHash({ ip, appSecret }: { ip: string; appSecret: string }): string {
  return createHmac('sha256', deriveKey(appSecret, 'network')).update(ip).digest('hex').slice(0, 32);
}
