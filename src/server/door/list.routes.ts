import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/door.ts';
import type { Deps } from '#server/deps.ts';
import { mount } from '#server/http/mount.ts';
import { findTickets } from './find-tickets.ts';
import { readDoorList } from './read-door-list.ts';

export function doorListRoutes(app: FastifyInstance, deps: Deps) {
  mount(app, contract.doorList, async (input, { attendant }) => readDoorList(deps, attendant, input));

  mount(app, contract.findTickets, async ({ lastDigits }, { attendant }) => findTickets(deps, attendant, lastDigits));
}
