/** Sends deliveries that are due. A delivery is claimed in one transaction, sent outside it, and its answer recorded in another. */
import { failureLeadsTo, retryAfterSeconds } from '#domain/accounts/webhooks.ts';
import { emailOwners } from '#server/accounts/organization.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { advisoryLocks } from '#server/platform/locks.ts';
import type { WebhookAnswer } from '#server/platform/ports/webhook-sender.ts';
import * as deliveries from './deliveries.sql.ts';
import { endEndpoint, markWarned, recordFailing, recordHealthy } from './endpoints.sql.ts';
import { signingSecrets } from './secrets.ts';
import { webhookBody } from './webhook-body.ts';

export type SendDeps = Pick<Deps, 'db' | 'clock' | 'appSecret' | 'publicUrl' | 'webhooks' | 'log'>;

const PER_ENDPOINT = 8;
/** Longer than an attempt and its queries take. */
const CLAIM_SECONDS = 60;

const GONE = 410;

/** Begins sending up to `limit` deliveries. Each promise resolves once its answer is recorded, and never rejects. */
export async function sendDeliveries(deps: SendDeps, limit: number): Promise<Promise<void>[]> {
  if (limit <= 0) return [];
  const claimed = await inTransaction(deps.db, async (tx) => {
    if (!(await deliveries.lockClaims(tx, advisoryLocks.webhooks))) return [];
    return deliveries.claimDeliveries(tx, { limit, perEndpoint: PER_ENDPOINT, seconds: CLAIM_SECONDS });
  });
  return claimed.map((delivery) =>
    sendOne(deps, delivery).catch((error: unknown) => {
      // Its claim ends by itself.
      deps.log.warn({ err: error, endpointId: delivery.endpointId }, 'sending a webhook failed');
    }),
  );
}

async function sendOne(deps: SendDeps, delivery: deliveries.ClaimedDelivery): Promise<void> {
  const { endpointId, id, url } = delivery;
  const body = await webhookBody(deps, delivery);
  const secrets = signingSecrets(deps.appSecret, { ...delivery, id: endpointId }, deps.clock.now());
  if (body === null || secrets.length === 0) return deliveries.dropDelivery(deps.db, delivery);
  const answer = await deps.webhooks.send({ url, id: `msg_${id}`, body, secrets });
  await inTransaction(deps.db, (tx) => record(tx, delivery, answer, deps.clock.now()));
}

/** The endpoint's row is locked before the delivery's, as where an endpoint is ended. */
async function record(tx: Db, delivery: deliveries.ClaimedDelivery, answer: WebhookAnswer, at: Date): Promise<void> {
  const { endpointId } = delivery;
  if (answer.status !== null && answer.status >= 200 && answer.status < 300) {
    await recordHealthy(tx, endpointId, at);
    return deliveries.recordAttempt(tx, delivery, { state: 'delivered', answer, at, nextAt: at });
  }
  const endpoint = await recordFailing(tx, endpointId, at);
  const retry = retryAfterSeconds(delivery.attempts + 1, Math.random());
  const state = retry === null ? 'failed' : 'waiting';
  const nextAt = new Date(at.getTime() + (retry ?? 0) * 1000);
  await deliveries.recordAttempt(tx, delivery, { state, answer, at, nextAt });
  if (endpoint) await drawConsequence(tx, { endpointId, ...endpoint }, { isGone: answer.status === GONE, now: at });
}

interface FailingEndpoint extends NonNullable<Awaited<ReturnType<typeof recordFailing>>> {
  endpointId: string;
}

async function drawConsequence(
  tx: Db,
  { endpointId, organizationId, url, failingSince, warnedAt }: FailingEndpoint,
  { isGone, now }: { isGone: boolean; now: Date },
): Promise<void> {
  const since = failingSince ?? now;
  const consequence = isGone ? 'end' : failureLeadsTo({ failingSince: since, warnedAt }, now);
  if (consequence === null) return;
  const about = { subjectId: newId(), params: { endpointId, host: new URL(url).host }, now };
  if (consequence === 'warning') {
    await markWarned(tx, endpointId, now);
    await emailOwners(tx, organizationId, { kind: 'webhook-failing', ...about });
  } else if (await endEndpoint(tx, endpointId, { reason: isGone ? 'gone' : 'failing', at: now })) {
    await emailOwners(tx, organizationId, { kind: 'webhook-ended', ...about });
  }
}
