import type { ApiKey, apiKeys } from '#contract/app/programs/api-keys.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { ONLY_EVENTS_MAX } from '#domain/accounts/team.ts';
import { authorize } from '#server/accounts/policies.ts';
import { newestEventsOf } from '#server/accounts/team/team.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { endKey, keysOf } from './api-keys.sql.ts';

export async function listKeys(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
): Promise<ReplyOf<typeof apiKeys>> {
  authorize(actor, 'api-key.view');
  const { organizationId } = actor;
  const [keys, events] = await Promise.all([
    keysOf(db, organizationId),
    newestEventsOf(db, organizationId, ONLY_EVENTS_MAX),
  ]);
  const now = clock.now();
  return { keys: keys.map((key) => keyReply(key, now)), events };
}

export async function revokeKey({ db, clock }: Pick<Deps, 'db' | 'clock'>, actor: Actor, keyId: string): Promise<void> {
  authorize(actor, 'api-key.revoke');
  const at = clock.now();
  await inTransaction(db, async (tx) => {
    if (!(await endKey(tx, actor.organizationId, keyId, at))) throw new AppError('api-key.unknown');
    await recordAuditEvent(tx, { action: 'revoke-api-key', by: actor, subject: keyId, at });
  });
}

type StoredKey = Awaited<ReturnType<typeof keysOf>>[number];

function keyReply(key: StoredKey, now: Date): ApiKey {
  const { id: keyId, name, scopes, onlyEventIds, email: createdBy } = key;
  return {
    keyId,
    name,
    scopes,
    onlyEventIds,
    createdBy,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt.toISOString(),
    state: stateOf(key, now),
  };
}

function stateOf({ revokedAt, expiresAt }: StoredKey, now: Date): ApiKey['state'] {
  if (revokedAt) return 'revoked';
  if (now >= expiresAt) return 'expired';
  return 'live';
}
