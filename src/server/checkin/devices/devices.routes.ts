import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/door.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { readDoorView } from './dashboard.ts';
import { leaveDoor } from './leave-check-in.ts';
import { removeDoorDevice } from './remove-device.ts';

/** @param first with the connections that the door has to itself; the organizer's view takes none of them */
export function doorRoutes(app: FastifyInstance, deps: Deps, first: Deps) {
  mount(app, contract.leaveDoor, async (_input, { attendant, cookies }) => {
    const left = await leaveDoor(first, attendant, cookies.read('attendant'));
    if (left) cookies.write('attendant', left.cookie, left.seconds);
    else cookies.clear('attendant');
    return { msg: contract.doorLeft };
  });

  mount(app, contract.doorView, async ({ eventId }, { organizer }) => readDoorView(deps, organizer.userId, eventId));

  mount(app, contract.removeDoorDevice, async (device, { organizer }) => {
    await removeDoorDevice(deps, organizer.userId, device);
    return { msg: contract.deviceRemoved };
  });
}
