/** Reserves the tickets of guests at no charge: of all of them, or of none. */
import { createHash } from 'node:crypto';
import { COMPS_PER_DAY_MAX, ORDER_TICKETS_MAX, UNIDENTIFIED_COMPS_PER_DAY_MAX } from '#domain/limits.ts';
import { hasActivePayoutAccount } from '#server/accounts/payout-account.ts';
import { markDoorNotes } from '#server/events/guest-form/at-door.ts';
import { lockToEdit } from '#server/events/lock-to-edit.ts';
import { raiseQuantities } from '#server/events/raise-quantities.ts';
import {
  countCompsSince,
  findCompBatch,
  insertCompBatch,
  insertCompGuests,
  reserveComps,
  typesLeft,
} from '#server/orders/core/comps.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface GuestToAdd {
  ticketId: string;
  quantity: number;
  /** At least one of these two. */
  email?: string | undefined;
  name?: string | undefined;
  doorNote?: string | undefined;
}

export interface CompsToReserve {
  eventId: string;
  batchId: string;
  guests: readonly GuestToAdd[];
  raisesQuantity: boolean;
  isImport: boolean;
}

/** Null if the same was asked for before. The event stays locked against checkouts, edits, cancellation and payouts. */
export async function reserveBatch(
  tx: Db,
  actor: Actor,
  { eventId, batchId, guests, raisesQuantity, isImport }: CompsToReserve,
): Promise<{ now: Date } | null> {
  const locked = await lockToEdit(tx, actor, eventId);
  const { now, endsAt, isPublished } = locked.event;
  // Taken down while this waited for its lock.
  if (!isPublished) throw new AppError('event.is-draft');
  const requestHash = createHash('sha256').update(JSON.stringify(guests)).digest();
  const tickets = guests.reduce((sum, { quantity }) => sum + quantity, 0);
  const isNew = await insertCompBatch(tx, { eventId, id: batchId, requestHash, isImport, tickets, createdAt: now });
  if (!isNew) {
    const stored = await findCompBatch(tx, { eventId, id: batchId });
    if (!stored.requestHash.equals(requestHash)) throw new AppError(isImport ? 'import.id-used' : 'comp.id-used');
    return null;
  }

  if (endsAt <= now) throw new AppError('comp.event-ended');
  await denyTooManyEmails(tx, actor, now);
  const comps = oncePerGuest(guests).map(({ ticketId, quantity, email = null, name, doorNote }) => {
    const type = locked.types.find(({ id }) => id === ticketId);
    if (!type) throw new AppError('comp.unknown-type');
    const { name: ticketName, priceCents: listPriceCents } = type;
    const guest = { email, name: name || null, doorNote: doorNote || null };
    return { orderId: newId(), ...guest, ticketTypeId: type.id, ticketName, listPriceCents, quantity };
  });
  const wanted = wantedOf(guests);
  if (raisesQuantity) await raiseQuantities(tx, locked, wanted);
  const isReserved = await reserveComps(tx, { eventId, batchId, createdAt: now, reservedUntil: endsAt }, comps);
  if (!isReserved) throw await tooFewLeft(tx, eventId, wanted);
  await insertCompGuests(tx, eventId, comps);
  if (comps.some(({ doorNote }) => doorNote !== null)) await markDoorNotes(tx, eventId);
  return { now };
}

/** One order, and one email, for all that a guest gets of a type. Guests without an address may share a name. */
function oncePerGuest(guests: readonly GuestToAdd[]): GuestToAdd[] {
  const orders: GuestToAdd[] = [];
  const last = new Map<string, GuestToAdd>();
  for (const guest of guests) {
    const { ticketId, email, name = '', doorNote = '' } = guest;
    const key = JSON.stringify([ticketId, email?.toLowerCase(), name, doorNote]);
    const known = email === undefined ? undefined : last.get(key);
    if (known && known.quantity + guest.quantity <= ORDER_TICKETS_MAX) {
      known.quantity += guest.quantity;
      continue;
    }
    const order = { ...guest };
    last.set(key, order);
    orders.push(order);
  }
  return orders;
}

/** With those of this batch. An account that only has a verified address must not become a sender of unwanted email. */
async function denyTooManyEmails(tx: Db, { organizationId }: Actor, now: Date): Promise<void> {
  const isIdentified = await hasActivePayoutAccount({ db: tx }, organizationId);
  const max = isIdentified ? COMPS_PER_DAY_MAX : UNIDENTIFIED_COMPS_PER_DAY_MAX;
  const given = await countCompsSince(tx, organizationId, new Date(now.getTime() - DAY_MS));
  if (given > max) throw new AppError('comp.too-many-today', { max });
}

/** Tickets by type. */
export function wantedOf(guests: readonly GuestToAdd[]): Map<string, number> {
  const wanted = new Map<string, number>();
  for (const { ticketId, quantity } of guests) wanted.set(ticketId, (wanted.get(ticketId) ?? 0) + quantity);
  return wanted;
}

/** Names the type that lacks most. Types that each have enough can still be short of a capacity that they share. */
async function tooFewLeft(tx: Db, eventId: string, wanted: ReadonlyMap<string, number>): Promise<AppError> {
  const [shortest] = (await typesLeft(tx, eventId))
    .filter(({ id }) => wanted.has(id))
    .map(({ id, name, left }) => ({ name, left, missing: (wanted.get(id) ?? 0) - left }))
    .sort((one, other) => other.missing - one.missing);
  return new AppError('comp.too-few-left', { name: shortest?.name ?? '', left: shortest?.left ?? 0 });
}
