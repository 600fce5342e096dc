import { randomBytes } from 'node:crypto';
import type { createApiKey } from '#contract/app/programs/api-keys.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { KEYS_MAX } from '#domain/accounts/api-keys.ts';
import { emailOwners, lockOrganization } from '#server/accounts/organization.ts';
import { hashSecret } from '#server/accounts/passwords.ts';
import { authorize } from '#server/accounts/policies.ts';
import { ownsEvents } from '#server/accounts/team/team.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { countLiveKeys, insertKey } from './api-keys.sql.ts';
import { writeKey } from './key-format.ts';

const SECRET_BYTES = 32;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Resolves to the key, which is stored as a hash only. */
export async function createKey(
  { db, clock, takesRealMoney }: Pick<Deps, 'db' | 'clock' | 'takesRealMoney'>,
  actor: Actor,
  { name, scopes, onlyEventIds, days }: InputOf<typeof createApiKey>,
): Promise<ReplyOf<typeof createApiKey>> {
  authorize(actor, 'api-key.create');
  const { organizationId, userId } = actor;
  const id = newId();
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    if (!(await lockOrganization(tx, organizationId))) throw new AppError('session.missing');
    if ((await countLiveKeys(tx, organizationId, now)) >= KEYS_MAX) throw new AppError('api.too-many');
    if (onlyEventIds && !(await ownsEvents(tx, organizationId, onlyEventIds))) throw new AppError('team.unknown-event');
    await insertKey(tx, {
      id,
      organizationId,
      createdBy: userId,
      name,
      secretHash: hashSecret(secret),
      scopes: [...new Set(scopes)],
      onlyEventIds,
      createdAt: now,
      expiresAt: new Date(now.getTime() + days * DAY_MS),
    });
    await recordAuditEvent(tx, { action: 'create-api-key', by: actor, subject: id, at: now });
    await emailOwners(tx, organizationId, { kind: 'api-key-created', subjectId: id, params: {}, now });
  });
  return { keyId: id, key: writeKey({ isLive: takesRealMoney, id, secret }) };
}
