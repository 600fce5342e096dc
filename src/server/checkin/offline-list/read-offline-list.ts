import type { offlineTicketList as call } from '#contract/app/check-in-devices.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { touchDevice } from '#server/checkin/devices/enter-device.ts';
import { AppError } from '#server/platform/app-error.ts';
import { perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Attendant } from '#server/platform/http/callers.ts';
import { saltOf } from './hash-number.ts';
import { OfflineListCache } from './list-cache.ts';
import { decodeCursor, encodeCursor, firstNewTransaction } from './list-cursor.ts';

const listCacheOf = perDatabase((db) => new OfflineListCache(db));

/** Returns all of the event's tickets, or those that changed since the device's cursor. */
export async function readOfflineList(
  { db, clock, appSecret }: Pick<Deps, 'db' | 'clock' | 'appSecret'>,
  attendant: Attendant,
  { have, pending }: Pick<InputOf<typeof call>, 'have' | 'pending'>,
): Promise<ReplyOf<typeof call>> {
  const device = await touchDevice(db, attendant, pending);
  if (!device) throw new AppError('attendant-code.missing');

  const cursor = have ? decodeCursor(have.upTo) : null;
  const salt = saltOf(appSecret, attendant.eventId);
  const list = await listCacheOf(db).current(attendant.eventId, salt, cursor?.readAt ?? 0);
  const { title, timezone, isCancelled, hours, edition, table, tally } = list;
  const since = cursor && have?.edition === edition.name ? firstNewTransaction(list, cursor) : null;
  return {
    edition: edition.name,
    upTo: encodeCursor(list),
    isWhole: since === null,
    title,
    timezone,
    isCancelled,
    opensAt: hours.opensAt?.getTime() ?? null,
    closesAt: hours.closesAt?.getTime() ?? null,
    salt,
    bits: edition.bits,
    ticketTypes: edition.types.map(({ name }) => name),
    addOns: edition.types.flatMap(({ isAddOn }, index) => (isAddOn ? [index] : [])),
    tickets: (since === null ? table.all() : table.changedSince(since)).toString('base64'),
    counts: tally.types,
    device: { id: device.id, name: device.name, admitted: tally.admittedBy(device.id) },
    grantEndsAt: device.endsAt && device.endsAt.getTime(),
    now: clock.now().getTime(),
  };
}
