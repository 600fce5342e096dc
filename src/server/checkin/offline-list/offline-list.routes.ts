import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/check-in-devices.ts';
import { findTickets } from '#server/checkin/find-tickets.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { readOfflineList } from './read-offline-list.ts';

export function offlineListRoutes(app: FastifyInstance, deps: Deps) {
  mount(app, contract.offlineTicketList, async (input, { attendant }) => readOfflineList(deps, attendant, input));

  mount(app, contract.findTickets, async ({ lastDigits }, { attendant }) => findTickets(deps, attendant, lastDigits));
}
