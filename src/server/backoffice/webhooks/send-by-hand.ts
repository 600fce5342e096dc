/** Members try an endpoint, and repeat what it missed. */
import { authorize } from '#server/accounts/policies.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { insertTest, sendAgainNow } from './deliveries.sql.ts';
import { endpointOf, lockLiveEndpoint } from './endpoints.sql.ts';

type SendDeps = Pick<Deps, 'db' | 'clock' | 'rateLimiter'>;

export async function sendTest(deps: SendDeps, actor: Actor, endpointId: string): Promise<void> {
  await toLiveEndpoint(deps, actor, endpointId, (tx, at) => insertTest(tx, { endpointId, id: newId(), at }));
}

export async function sendAgain(
  deps: SendDeps,
  actor: Actor,
  { endpointId, deliveryId }: { endpointId: string; deliveryId: string },
): Promise<void> {
  await toLiveEndpoint(deps, actor, endpointId, async (tx, at) => {
    if (!(await sendAgainNow(tx, { endpointId, deliveryId, at }))) throw new AppError('webhook.unknown-delivery');
  });
}

async function toLiveEndpoint(
  { db, clock, rateLimiter }: SendDeps,
  actor: Actor,
  endpointId: string,
  send: (tx: Db, at: Date) => Promise<void>,
): Promise<void> {
  authorize(actor, 'webhook.change');
  const { organizationId } = actor;
  await consumeLimit(rateLimiter, 'webhook-by-hand', organizationId);
  await inTransaction(db, async (tx) => {
    if (!(await endpointOf(tx, organizationId, endpointId))) throw new AppError('webhook.unknown');
    if (!(await lockLiveEndpoint(tx, organizationId, endpointId))) throw new AppError('webhook.ended');
    await send(tx, clock.now());
  });
}
