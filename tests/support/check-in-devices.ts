/** Check-in devices of an event, with their names. */
import { verifyGrants } from '#server/checkin/devices/grants.ts';
import type { Visitor } from './http-visitor.ts';
import { attendantOf, buyTickets, codesOf, eventOnSale, generalAdmission } from './people.ts';
import type { TestApp } from './test-app.ts';

export interface NamedDevice {
  visitor: Visitor;
  /** Id of its grant. */
  id: string;
  name: string;
}

export async function deviceAt(
  app: TestApp,
  { eventId, attendantCode }: { eventId: string; attendantCode: string },
  name: string,
): Promise<NamedDevice> {
  const visitor = await attendantOf(app, eventId, attendantCode);
  const id = grantIdOf(app, visitor);
  await nameDevice(app, { eventId, id, name });
  return { visitor, id, name };
}

export async function nameDevice(
  app: Pick<TestApp, 'db' | 'now'>,
  { eventId, id, name }: { eventId: string; id: string; name: string },
): Promise<void> {
  await app.db
    .insertInto('checkInDevices')
    .values({ eventId, id, name, enteredAt: app.now(), endsAt: null, seenAt: app.now(), removedAt: null })
    .onConflict((conflict) => conflict.columns(['eventId', 'id']).doUpdateSet({ name }))
    .execute();
}

export function grantIdOf({ deps }: TestApp, visitor: Visitor): string {
  const [grant] = verifyGrants(visitor.cookies.get('attendant'), deps.appSecret);
  if (!grant) throw new Error('this visitor has no grant');
  return grant.grantId;
}

export function devicesAt(app: TestApp, eventId: string) {
  return app.db
    .selectFrom('checkInDevices')
    .where('eventId', '=', eventId)
    .selectAll()
    .orderBy('enteredAt')
    .orderBy('id')
    .execute();
}

/** An event with tickets of one buyer, and two check-in devices. */
export async function eventWithTwoDevices(app: TestApp, quantity = 1) {
  const event = await eventOnSale(app);
  const { eventId, attendantCode } = event;
  const codes = codesOf(await buyTickets(app, eventId, generalAdmission(quantity)));
  const [device, other] = [
    await attendantOf(app, eventId, attendantCode),
    await attendantOf(app, eventId, attendantCode),
  ];
  return { ...event, code: codes[0] ?? '', codes, device, other };
}
