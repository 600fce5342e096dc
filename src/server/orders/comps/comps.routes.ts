import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/sales/comps.ts';
import { importGuests as importGuestsEndpoint } from '#contract/app/sales/import-guests.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { addComps } from './add-comps.ts';
import { importGuests } from './import-guests.ts';

export function compRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.addComps, (input, { organizer }) => addComps(deps, organizer, input));
  mount(app, importGuestsEndpoint, (input, { organizer, files }) => importGuests(deps, organizer, input, files));
}
