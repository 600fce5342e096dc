/** Adds guests at no charge, and emails them their tickets. See docs/decisions/0064. */
import type { addComps as endpoint } from '#contract/app/sales/comps.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { COMPS_PER_CALL_MAX } from '#domain/limits.ts';
import { compsAdded } from '#messages/sales/comps.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { completeCompBatch, issueComps } from '#server/orders/core/comps.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { reserveBatch } from './reserve-batch.ts';

export async function addComps(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  actor: Actor,
  { eventId, compsId, guests, raisesQuantity = false }: InputOf<typeof endpoint>,
): Promise<ReplyOf<typeof endpoint>> {
  await authorizeEvent(deps, actor, 'comp.manage', eventId);
  if (raisesQuantity) await authorizeEvent(deps, actor, 'event.edit', eventId);
  await consumeLimit(deps.rateLimiter, 'add-comps', actor.organizationId);
  const tickets = guests.reduce((sum, { quantity }) => sum + quantity, 0);
  if (tickets > COMPS_PER_CALL_MAX) throw new AppError('comp.too-many');
  await inTransaction(deps.db, async (tx) => {
    const batch = { eventId, batchId: compsId, guests, raisesQuantity, isImport: false };
    const reserved = await reserveBatch(tx, actor, batch);
    if (!reserved) return;
    const added = { eventId, id: compsId, at: reserved.now };
    await issueComps(tx, { ...added, limit: COMPS_PER_CALL_MAX });
    await completeCompBatch(tx, added);
    const subject = { subject: compsId, eventId, params: { tickets }, at: deps.clock.now() };
    await recordAuditEvent(tx, { action: 'add-comps', by: actor, ...subject });
  });
  const unsent = guests.reduce((sum, { email, quantity }) => sum + (email === undefined ? quantity : 0), 0);
  return { msg: compsAdded(tickets, unsent) };
}
