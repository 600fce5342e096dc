import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/check-in-devices.ts';
import { shiftEnded } from '#messages/check-in.ts';
import { deviceRemoved } from '#messages/check-in-dashboard.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { readDashboard } from './dashboard.ts';
import { endShift } from './end-shift.ts';
import { removeCheckInDevice } from './remove-device.ts';

/** @param priorityDeps with the connection pool reserved for check-ins; the dashboard uses the shared pool */
export function deviceRoutes(app: FastifyInstance, deps: Deps, priorityDeps: Deps) {
  mount(app, contract.endShift, async (_input, { attendant, cookies }) => {
    const remaining = await endShift(priorityDeps, attendant, cookies.read('attendant'));
    if (remaining) cookies.write('attendant', remaining.cookie, remaining.seconds);
    else cookies.clear('attendant');
    return { msg: shiftEnded };
  });

  mount(app, contract.checkInDashboard, async ({ eventId }, { organizer }) => readDashboard(deps, organizer, eventId));

  mount(app, contract.removeDevice, async (device, { organizer }) => {
    await removeCheckInDevice(deps, organizer, device);
    return { msg: deviceRemoved };
  });
}
