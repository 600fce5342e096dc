/** Operator actions: stop the sale of one event, and resume it. Repeating one changes nothing and emails nobody. */
import { brakeTexts } from '#messages/operations/brakes.ts';
import { changeBrakes, lockBrakes } from '#server/events/brakes/change-brakes.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { recordBrake } from './record-brake.ts';

interface EventBrake {
  operatorId: string;
  sessionId: string;
  eventId: string;
  note: string;
}

export async function stopSales(
  { db }: Pick<Deps, 'db'>,
  { operatorId, sessionId, eventId, note }: EventBrake,
): Promise<{ msg: string }> {
  await inTransaction(db, async (tx) => {
    const event = await lockBrakes(tx, eventId);
    if (!event) throw new AppError('event.not-found');
    if (event.salesStoppedAt) return;
    const { now: at, organizationId } = event;
    await changeBrakes(tx, event, { salesStoppedAt: at, salesStoppedBy: operatorId, stopReason: note });
    await recordBrake(tx, { action: 'stop-sales', operatorId, sessionId, organizationId, eventId, note, at });
  });
  return { msg: brakeTexts['stop-sales'].done };
}

export async function resumeSales(
  { db }: Pick<Deps, 'db'>,
  { operatorId, sessionId, eventId, note }: EventBrake,
): Promise<{ msg: string }> {
  await inTransaction(db, async (tx) => {
    const event = await lockBrakes(tx, eventId);
    if (!event) throw new AppError('event.not-found');
    if (!event.salesStoppedAt) return;
    const { now: at, organizationId } = event;
    await changeBrakes(tx, event, { salesStoppedAt: null, salesStoppedBy: null, stopReason: null });
    await recordBrake(tx, { action: 'resume-sales', operatorId, sessionId, organizationId, eventId, note, at });
  });
  return { msg: brakeTexts['resume-sales'].done };
}
