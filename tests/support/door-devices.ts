/** Devices at an event's doors, with the names by which organizer and attendants know them. */
import { unsealGrants } from '#server/admission/read-grant.ts';
import type { Visitor } from './http-visitor.ts';
import { attendantOf, buyTickets, codesOf, eventOnSale, generalAdmission } from './people.ts';
import type { World } from './world.ts';

export interface NamedDevice {
  visitor: Visitor;
  /** Its grant's. */
  id: string;
  name: string;
}

export async function deviceAt(
  world: World,
  { eventId, attendantCode }: { eventId: string; attendantCode: string },
  name: string,
): Promise<NamedDevice> {
  const visitor = await attendantOf(world, eventId, attendantCode);
  const id = grantIdOf(world, visitor);
  await nameDevice(world, { eventId, id, name });
  return { visitor, id, name };
}

export async function nameDevice(
  world: Pick<World, 'db' | 'now'>,
  { eventId, id, name }: { eventId: string; id: string; name: string },
): Promise<void> {
  await world.db
    .insertInto('doorDevices')
    .values({ eventId, id, name, enteredAt: world.now(), endsAt: null, seenAt: world.now(), removedAt: null })
    .onConflict((conflict) => conflict.columns(['eventId', 'id']).doUpdateSet({ name }))
    .execute();
}

export function grantIdOf({ deps }: World, visitor: Visitor): string {
  const [grant] = unsealGrants(visitor.cookies.get('attendant'), deps.appSecret);
  if (!grant) throw new Error('this visitor has no grant');
  return grant.grantId;
}

export function devicesAt(world: World, eventId: string) {
  return world.db
    .selectFrom('doorDevices')
    .where('eventId', '=', eventId)
    .selectAll()
    .orderBy('enteredAt')
    .orderBy('id')
    .execute();
}

/** An event with tickets that one buyer holds, and two devices at its door. */
export async function twoDoors(world: World, quantity = 1) {
  const event = await eventOnSale(world);
  const { eventId, attendantCode } = event;
  const codes = codesOf(await buyTickets(world, eventId, generalAdmission(quantity)));
  const [device, other] = [
    await attendantOf(world, eventId, attendantCode),
    await attendantOf(world, eventId, attendantCode),
  ];
  return { ...event, code: codes[0] ?? '', codes, device, other };
}
