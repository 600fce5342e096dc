import { grantMissing } from '#contract/admission.ts';
import type { offlineTicketList as call } from '#contract/door.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { touchDevice } from '#server/checkin/devices/enter-device.ts';
import { signedOut } from '#server/platform/app-error.ts';
import { perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Attendant } from '#server/platform/http/callers.ts';
import { saltOf } from './hash-number.ts';
import { ListCache } from './list-cache.ts';
import { newSince, readMark, writeMark } from './list-mark.ts';

const listsOf = perDatabase((db) => new ListCache(db));

/** What a device keeps of the event's tickets: all of it, or what is new to it. */
export async function readOfflineList(
  { db, clock, appSecret }: Pick<Deps, 'db' | 'clock' | 'appSecret'>,
  attendant: Attendant,
  { have, pending }: Pick<InputOf<typeof call>, 'have' | 'pending'>,
): Promise<ReplyOf<typeof call>> {
  const device = await touchDevice(db, attendant, pending);
  if (!device) throw signedOut(grantMissing);

  const mark = have ? readMark(have.upTo) : null;
  const salt = saltOf(appSecret, attendant.eventId);
  const list = await listsOf(db).current(attendant.eventId, salt, mark?.readAt ?? 0);
  const { title, timezone, isCancelled, edition, table, tally } = list;
  const since = mark && have?.edition === edition.name ? newSince(list, mark) : null;
  return {
    edition: edition.name,
    upTo: writeMark(list),
    isWhole: since === null,
    title,
    timezone,
    isCancelled,
    salt,
    bits: edition.bits,
    ticketTypes: edition.types.map(({ name }) => name),
    tickets: (since === null ? table.whole() : table.since(since)).toString('base64'),
    counts: tally.types,
    device: { id: device.id, name: device.name, admitted: tally.admittedBy(device.id) },
    grantEndsAt: device.endsAt && device.endsAt.getTime(),
    now: clock.now().getTime(),
  };
}
