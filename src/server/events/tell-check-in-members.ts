import { checkInHours, type SetHours } from '#domain/check-in-hours.ts';
import { emailCheckInMembers } from '#server/accounts/organization.ts';
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';

interface DoorTimes extends SetHours {
  startsAt: Date;
  endsAt: Date;
}

/** Emails the members who check guests in, if the hours in which they can do so have changed. */
export async function tellCheckInMembers(
  tx: Db,
  { id: eventId, organizationId, now }: { id: string; organizationId: string; now: Date },
  before: DoorTimes,
  after: DoorTimes,
): Promise<void> {
  const [was, is] = [checkInHours(before), checkInHours(after)];
  const isSame = was.opensAt?.getTime() === is.opensAt?.getTime() && was.closesAt?.getTime() === is.closesAt?.getTime();
  if (isSame) return;
  const email = { kind: 'check-in-hours-changed', subjectId: newId(), params: { eventId }, now } as const;
  await emailCheckInMembers(tx, { organizationId, eventId }, email);
}
