/** Endpoints are added, changed and ended by members, and by keys with the scope for it. */
import { isGiven } from '#domain/accounts/roles.ts';
import { denyTypes, ENDPOINTS_MAX, type WebhookType } from '#domain/accounts/webhooks.ts';
import { emailOwners, lockOrganization } from '#server/accounts/organization.ts';
import { authorize } from '#server/accounts/policies.ts';
import { ownsEvents } from '#server/accounts/team/team.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor, KeyHolder } from '#server/platform/http/callers.ts';
import { isUuid, newId } from '#server/platform/ids.ts';
import * as sql from './endpoints.sql.ts';
import { newWebhookSecret, sealRotated, sealSecret } from './secrets.ts';

interface Chosen {
  types: readonly WebhookType[];
  onlyEventIds: readonly string[] | null;
}

type CreateDeps = Pick<Deps, 'db' | 'clock' | 'appSecret' | 'webhooks'>;
type NewEndpoint = Chosen & { url: string };

interface CreatedEndpoint {
  endpointId: string;
  /** Never shown again. */
  secret: string;
}

/** @param reply is read before the commit: if it can't be, nothing was made, and a program may send the request again */
export async function createEndpoint<Reply>(
  { db, clock, appSecret, webhooks }: CreateDeps,
  actor: Actor | KeyHolder,
  { url, ...chosen }: NewEndpoint,
  reply: (tx: Db, created: CreatedEndpoint) => Promise<Reply>,
): Promise<Reply> {
  authorize(actor, 'webhook.create');
  requireTypes(actor, chosen.types);
  if (!(await webhooks.isAllowed(url))) throw new AppError('webhook.url-refused');
  const { organizationId, userId } = actor;
  const id = newId();
  const secret = newWebhookSecret();
  const at = clock.now();
  return inTransaction(db, async (tx) => {
    if (!(await lockOrganization(tx, organizationId))) throw new AppError('session.missing');
    if ((await sql.countLiveEndpoints(tx, organizationId)) >= ENDPOINTS_MAX) throw new AppError('webhook.too-many');
    await sql.insertEndpoint(tx, {
      id,
      organizationId,
      createdBy: userId,
      url,
      types: [...new Set(chosen.types)],
      onlyEventIds: await givenEvents(tx, actor, chosen.onlyEventIds),
      secretsSealed: sealSecret(appSecret, id, secret),
      createdAt: at,
    });
    await recordAuditEvent(tx, { action: 'create-webhook', ...actedBy(actor), subject: id, at });
    if (!('keyId' in actor)) {
      const params = { endpointId: id, host: new URL(url).host };
      await emailOwners(tx, organizationId, { kind: 'webhook-created', subjectId: id, params, now: at });
    }
    return reply(tx, { endpointId: id, secret });
  });
}

export async function editEndpoint(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor | KeyHolder,
  { endpointId, types, onlyEventIds }: Partial<Chosen> & { endpointId: string },
): Promise<void> {
  authorize(actor, 'webhook.change');
  await inTransaction(db, async (tx) => {
    const endpoint = await lockOwn(tx, actor, endpointId);
    const { id } = endpoint;
    const changed = {
      types: [...new Set(types ?? endpoint.types)],
      onlyEventIds: onlyEventIds === undefined ? endpoint.onlyEventIds : await givenEvents(tx, actor, onlyEventIds),
    };
    requireTypes(actor, changed.types);
    await sql.updateEndpoint(tx, id, changed);
    await recordAuditEvent(tx, { action: 'edit-webhook', ...actedBy(actor), subject: id, at: clock.now() });
  });
}

/** The one before signs as well for a day, so that no delivery fails while the program is changed. */
export async function rotateSecret(
  { db, clock, appSecret }: Pick<Deps, 'db' | 'clock' | 'appSecret'>,
  actor: Actor,
  endpointId: string,
): Promise<{ secret: string }> {
  authorize(actor, 'webhook.create');
  const secret = newWebhookSecret();
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    const endpoint = await lockOwn(tx, actor, endpointId);
    await sql.updateEndpoint(tx, endpoint.id, { secretsSealed: sealRotated(appSecret, endpoint, { secret, now }) });
    await recordAuditEvent(tx, { action: 'rotate-webhook-secret', by: actor, subject: endpoint.id, at: now });
  });
  return { secret };
}

export async function endOwnEndpoint(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor | KeyHolder,
  endpointId: string,
): Promise<void> {
  authorize(actor, 'webhook.change');
  const at = clock.now();
  await inTransaction(db, async (tx) => {
    const { id } = await lockOwn(tx, actor, endpointId);
    await sql.endEndpoint(tx, id, { reason: 'member', at });
    await recordAuditEvent(tx, { action: 'end-webhook', ...actedBy(actor), subject: id, at });
  });
}

/** By an account that someone else had meanwhile. */
export async function endEndpointsMadeSince(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  made: { userId: string; since: string },
): Promise<void> {
  const at = clock.now();
  await inTransaction(db, async (tx) => {
    for (const { id, organizationId } of await sql.lockLiveEndpointsBy(tx, made)) {
      await sql.endEndpoint(tx, id, { reason: 'member', at });
      await recordAuditEvent(tx, { action: 'end-webhook', actorId: made.userId, organizationId, subject: id, at });
    }
  });
}

/** A key for chosen events sees no endpoint that has others. */
export const isReached = (actor: Actor, { onlyEventIds }: { onlyEventIds: readonly string[] | null }): boolean =>
  actor.onlyEventIds === null || (onlyEventIds?.every((eventId) => isGiven(actor, eventId)) ?? false);

async function lockOwn(tx: Db, actor: Actor, endpointId: string) {
  const found = isUuid(endpointId) ? await sql.lockLiveEndpoint(tx, actor.organizationId, endpointId) : undefined;
  if (!found || !isReached(actor, found)) throw new AppError('webhook.unknown');
  return found;
}

/** Those asked for, or else all that the actor has. */
async function givenEvents(tx: Db, actor: Actor, asked: readonly string[] | null): Promise<string[] | null> {
  if (asked === null) return actor.onlyEventIds && [...actor.onlyEventIds];
  const isOwn =
    asked.every((eventId) => isGiven(actor, eventId)) && (await ownsEvents(tx, actor.organizationId, asked));
  if (!isOwn) throw new AppError('team.unknown-event');
  return [...asked];
}

/** What a key can't read isn't sent to where it says. */
function requireTypes({ scopes }: Actor, types: readonly WebhookType[]): void {
  const denial = denyTypes(scopes, types);
  if (denial === 'members-only') throw new AppError('auth.role-denied', { action: 'payout.view' });
  if (denial) throw new AppError('auth.scope-missing', denial);
}

const actedBy = (actor: Actor | KeyHolder) =>
  'keyId' in actor
    ? ({ actorKind: 'key', actorId: actor.keyId, organizationId: actor.organizationId } as const)
    : { by: actor };
