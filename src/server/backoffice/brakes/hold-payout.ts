/** Operator actions: put the payouts of an event on hold, and release them. Repeating one changes nothing and emails nobody. */
import { brakeTexts } from '#messages/operations/brakes.ts';
import { holdPayouts, lockPayouts, releasePayouts } from '#server/payments/holds/hold-payout.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { recordBrake } from './record-brake.ts';

interface PayoutBrake {
  operatorId: string;
  sessionId: string;
  eventId: string;
  note: string;
}

export const holdPayout = (deps: Pick<Deps, 'db'>, brake: PayoutBrake): Promise<{ msg: string }> =>
  change(deps, 'hold-payout', brake);

/** A job then sends what waited. */
export const releasePayout = (deps: Pick<Deps, 'db'>, brake: PayoutBrake): Promise<{ msg: string }> =>
  change(deps, 'release-payout', brake);

async function change(
  { db }: Pick<Deps, 'db'>,
  action: 'hold-payout' | 'release-payout',
  { operatorId, sessionId, eventId, note }: PayoutBrake,
): Promise<{ msg: string }> {
  await inTransaction(db, async (tx) => {
    const event = await lockPayouts(tx, eventId);
    if (!event) throw new AppError('event.not-found');
    const { organizationId, now: at } = event;
    const isChanged =
      action === 'hold-payout'
        ? await holdPayouts(tx, { eventId, heldAt: at, heldBy: operatorId, reason: note })
        : await releasePayouts(tx, eventId);
    if (isChanged) await recordBrake(tx, { action, operatorId, sessionId, organizationId, eventId, note, at });
  });
  return { msg: brakeTexts[action].done };
}
