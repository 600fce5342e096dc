import { unsealGrants } from '#server/admission/read-grant.ts';
import type { Visitor } from './http-visitor.ts';
import type { World } from './world.ts';

/** The device that a browser is at the door of the event that it entered last. */
export function deviceIdOf(world: World, visitor: Visitor): string {
  const [grant] = unsealGrants(visitor.cookies.get('attendant'), world.deps.appSecret);
  if (!grant) throw new Error('this browser is at no door');
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
