/** Records an audit event in the transaction of the action itself. Events are never changed. */
import { createHash } from 'node:crypto';
import { type ActorKind, type AuditAction, auditActions } from '#domain/accounts/audit-actions.ts';
import type { Db } from '#server/platform/database.ts';
import type { Actor, KeyHolder } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import type { AppSecret } from '#server/platform/secrets.ts';
import { insertAuditEvent } from './audit.sql.ts';
import { networkHash } from './network-hash.ts';

/** Codes and ids, never texts: the database rejects values with spaces or an `@`. */
export type AuditParams = Record<string, string | number | boolean>;

interface Entry {
  action: AuditAction;
  /** The member or the key that acts. Others give the id of an account or a device, null for an anonymous actor. */
  by?: Pick<Actor, 'userId' | 'organizationId' | 'sessionId'> & Partial<Pick<KeyHolder, 'keyId'>>;
  actorId?: string | null;
  /** Only where it isn't the usual one of the action. */
  actorKind?: ActorKind;
  /** By default that of the actor, of the event, or the one that the account joined first. */
  organizationId?: string;
  sessionId?: string;
  subject: string;
  eventId?: string | null;
  params?: AuditParams;
  at: Date;
  /** Records only the first event with this key. */
  once?: string;
  from?: { ip: string; appSecret: AppSecret };
}

/** False if the event was recorded before, with the same `once`. */
export async function recordAuditEvent(tx: Db, entry: Entry): Promise<boolean> {
  const { action, by, from, at, subject, params = {} } = entry;
  const { actorKind = by?.keyId ? 'key' : auditActions[action] } = entry;
  const actorId = by?.keyId ?? by?.userId ?? entry.actorId ?? null;
  return insertAuditEvent(tx, {
    id: entry.once === undefined ? newId() : idOf(`${action} ${entry.once}`),
    at,
    actorId,
    actorKind,
    organizationId: by?.organizationId ?? entry.organizationId ?? null,
    accountId: accountOf(actorKind, actorId, entry),
    sessionId: by?.sessionId ?? entry.sessionId ?? null,
    action,
    subject,
    eventId: entry.eventId ?? null,
    networkHash: from ? await networkHash(tx, from, at) : null,
    params: JSON.stringify(params),
  });
}

/** A version 8 UUID: one whose bits are ours to choose. */
function idOf(key: string): string {
  const digest = createHash('sha256').update(key).digest('hex');
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

/** The account whose organization's log shows the event. An operator acts for other organizations than their own. */
function accountOf(actorKind: ActorKind, actorId: string | null, { subject, eventId }: Entry): string | null {
  if (actorKind === 'member') return actorId;
  return actorKind === 'job' && !eventId ? subject : null;
}
