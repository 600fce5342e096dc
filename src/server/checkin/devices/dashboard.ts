import { organizerDevice } from '#contract/admission.ts';
import type { checkInDashboard } from '#contract/door.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { eventNotFound } from '#contract/events.ts';
import { notFound } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { arrivalsOf, checkInCountsOf, devicesOf, eventToCheckIn, syncConflictsOf } from './dashboard.sql.ts';

/** One statement after the other: somebody who keeps looking takes one connection, not four. */
export async function readDashboard(
  { db }: Pick<Deps, 'db'>,
  organizerId: string,
  eventId: string,
): Promise<ReplyOf<typeof checkInDashboard>> {
  const door = await eventToCheckIn(db, organizerId, eventId);
  if (!door) throw notFound(eventNotFound);
  const counts = await checkInCountsOf(db, eventId);
  const devices = await devicesOf(db, eventId);
  const arrivals = await arrivalsOf(db, eventId);
  const findings = await syncConflictsOf(db, eventId);
  return {
    ...door,
    now: door.now.getTime(),
    counts,
    devices: devices.map((device) => ({
      ...device,
      enteredAt: device.enteredAt.getTime(),
      seenAt: device.seenAt.getTime(),
      lastScanAt: device.lastScanAt?.getTime() ?? null,
    })),
    arrivals: arrivals.map(({ from, admitted }) => ({ from: from.getTime(), admitted })),
    findings: findings.map((finding) => ({
      ...finding,
      at: finding.at.getTime(),
      // Only the organizer's own browser scans without having asked for a list, which notes it.
      device: finding.device ?? organizerDevice,
      firstAt: finding.firstAt?.getTime() ?? null,
    })),
  };
}
