import type * as contract from '#contract/app/programs/webhooks.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type * as v1 from '#contract/v1/webhook-endpoints.ts';
import { ONLY_EVENTS_MAX } from '#domain/accounts/team.ts';
import { authorize } from '#server/accounts/policies.ts';
import { newestEventsOf } from '#server/accounts/team/team.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { isUuid } from '#server/platform/ids.ts';
import { deliveriesOf } from './deliveries.sql.ts';
import { endpointOf, endpointsOf, type StoredEndpoint } from './endpoints.sql.ts';
import { isReached } from './manage-endpoints.ts';

type Reading = Pick<Deps, 'db'>;

const PAGE = 50;

export async function listEndpoints({ db }: Reading, actor: Actor): Promise<ReplyOf<typeof contract.webhookEndpoints>> {
  authorize(actor, 'webhook.view');
  const { organizationId } = actor;
  const [endpoints, events] = await Promise.all([
    endpointsOf(db, organizationId),
    newestEventsOf(db, organizationId, ONLY_EVENTS_MAX),
  ]);
  return { endpoints: endpoints.map(endpointReply), events };
}

export async function listDeliveries(
  { db }: Reading,
  actor: Actor,
  { endpointId, after }: InputOf<typeof contract.webhookDeliveries>,
): Promise<ReplyOf<typeof contract.webhookDeliveries>> {
  const endpoint = await ownEndpoint({ db }, actor, endpointId);
  const found = await deliveriesOf(db, endpointId, { after: after ?? null, limit: PAGE + 1 });
  const page = found.slice(0, PAGE);
  return {
    endpoint: endpointReply(endpoint),
    deliveries: page.map((delivery) => ({
      deliveryId: delivery.id,
      type: delivery.type,
      objectId: delivery.objectId,
      occurredAt: delivery.occurredAt.toISOString(),
      state: delivery.state,
      attempts: delivery.attempts,
      attemptedAt: delivery.attemptedAt?.toISOString() ?? null,
      answerStatus: delivery.answerStatus,
      problem: delivery.problem,
      answerMs: delivery.answerMs,
      nextAt: delivery.state === 'waiting' && delivery.attempts > 0 ? delivery.nextAt.toISOString() : null,
    })),
    next: found.length > PAGE ? (page.at(-1)?.id ?? null) : null,
  };
}

export async function listEndpointsByKey(
  { db }: Reading,
  actor: Actor,
): Promise<ReplyOf<typeof v1.listWebhookEndpoints>> {
  authorize(actor, 'webhook.view');
  const endpoints = await endpointsOf(db, actor.organizationId);
  return { data: endpoints.filter((endpoint) => isReached(actor, endpoint)).map(v1Reply) };
}

export async function readEndpointByKey(
  { db }: Reading,
  actor: Actor,
  endpointId: string,
): Promise<ReplyOf<typeof v1.endWebhookEndpoint>> {
  return v1Reply(await ownEndpoint({ db }, actor, endpointId));
}

async function ownEndpoint({ db }: Reading, actor: Actor, endpointId: string): Promise<StoredEndpoint> {
  authorize(actor, 'webhook.view');
  const found = isUuid(endpointId) ? await endpointOf(db, actor.organizationId, endpointId) : undefined;
  if (!found || !isReached(actor, found)) throw new AppError('webhook.unknown');
  return found;
}

const endpointReply = (endpoint: StoredEndpoint): contract.WebhookEndpoint => ({
  endpointId: endpoint.id,
  url: endpoint.url,
  types: endpoint.types,
  onlyEventIds: endpoint.onlyEventIds,
  createdAt: endpoint.createdAt.toISOString(),
  createdBy: endpoint.email,
  state: stateOf(endpoint),
  failingSince: endpoint.failingSince?.toISOString() ?? null,
  endReason: endpoint.endReason,
  deliveredAt: endpoint.deliveredAt?.toISOString() ?? null,
  waiting: endpoint.waiting ?? 0,
});

const v1Reply = (endpoint: StoredEndpoint): ReplyOf<typeof v1.endWebhookEndpoint> => ({
  id: endpoint.id,
  url: endpoint.url,
  types: endpoint.types,
  event_ids: endpoint.onlyEventIds,
  state: stateOf(endpoint),
  failing_since: endpoint.failingSince?.toISOString() ?? null,
  created_at: endpoint.createdAt.toISOString(),
  ended_at: endpoint.endedAt?.toISOString() ?? null,
});

function stateOf({ endedAt, failingSince }: StoredEndpoint): contract.WebhookEndpoint['state'] {
  if (endedAt) return 'ended';
  return failingSince ? 'failing' : 'live';
}
