import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/early-check-ins.ts';
import { objectionReceived } from '#messages/early-check-in.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { objectToCheckIn } from './object-to-check-in.ts';
import { readEarlyCheckIn } from './read-early-check-in.ts';

export function earlyCheckInRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.earlyCheckIn, ({ eventId, token }, { ip }) => readEarlyCheckIn(deps, { eventId, token, ip }));
  mount(app, contract.objectToCheckIn, async ({ eventId, token }, { ip }) => {
    await objectToCheckIn(deps, { eventId, token, ip });
    return { msg: objectionReceived };
  });
}
