import type { checkInDashboard } from '#contract/app/check-in-devices.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { organizerDevice } from '#messages/check-in.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { arrivalsOf, checkInCountsOf, devicesOf, eventToCheckIn, syncConflictsOf } from './dashboard.sql.ts';

/** Sequential on purpose: a dashboard that polls takes one connection, not four. */
export async function readDashboard(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  eventId: string,
): Promise<ReplyOf<typeof checkInDashboard>> {
  await authorizeEvent({ db }, actor, 'check-in.manage', eventId);
  const event = await eventToCheckIn(db, actor.organizationId, eventId);
  if (!event) throw new AppError('event.not-found');
  const counts = await checkInCountsOf(db, eventId);
  const devices = await devicesOf(db, eventId);
  const arrivals = await arrivalsOf(db, eventId);
  const conflicts = await syncConflictsOf(db, eventId);
  return {
    ...event,
    now: event.now.getTime(),
    counts,
    devices: devices.map((device) => ({
      ...device,
      enteredAt: device.enteredAt.getTime(),
      seenAt: device.seenAt.getTime(),
      lastScanAt: device.lastScanAt?.getTime() ?? null,
    })),
    arrivals: arrivals.map(({ from, admitted }) => ({ from: from.getTime(), admitted })),
    conflicts: conflicts.map((conflict) => ({
      ...conflict,
      at: conflict.at.getTime(),
      // Only the organizer's browser can scan without a device row: fetching the offline list creates it.
      device: conflict.device ?? organizerDevice,
      firstAt: conflict.firstAt?.getTime() ?? null,
    })),
  };
}
