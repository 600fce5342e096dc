import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/door.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { readDashboard } from './dashboard.ts';
import { endShift } from './leave-check-in.ts';
import { removeCheckInDevice } from './remove-device.ts';

/** @param first with the connections that the door has to itself; the organizer's view takes none of them */
export function deviceRoutes(app: FastifyInstance, deps: Deps, first: Deps) {
  mount(app, contract.endShift, async (_input, { attendant, cookies }) => {
    const left = await endShift(first, attendant, cookies.read('attendant'));
    if (left) cookies.write('attendant', left.cookie, left.seconds);
    else cookies.clear('attendant');
    return { msg: contract.shiftEnded };
  });

  mount(app, contract.checkInDashboard, async ({ eventId }, { organizer }) =>
    readDashboard(deps, organizer.userId, eventId),
  );

  mount(app, contract.removeDevice, async (device, { organizer }) => {
    await removeCheckInDevice(deps, organizer.userId, device);
    return { msg: contract.deviceRemoved };
  });
}
