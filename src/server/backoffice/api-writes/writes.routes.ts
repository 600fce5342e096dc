import type { FastifyInstance } from 'fastify';
import * as capacities from '#contract/v1/capacities.ts';
import * as comps from '#contract/v1/comps.ts';
import * as events from '#contract/v1/event-writes.ts';
import * as promo from '#contract/v1/promo-codes.ts';
import * as types from '#contract/v1/ticket-types.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { newId } from '#server/platform/ids.ts';
import { createComps } from './create-comps.ts';
import { createDraft, publishEvent, updateEvent } from './write-events.ts';
import { createCode, listCodes, updateCode } from './write-promo-codes.ts';
import {
  createSharedCapacity,
  createTicketType,
  listSharedCapacities,
  updateSharedCapacity,
  updateTicketType,
} from './write-ticket-types.ts';

/** What programs change. */
export function apiWriteRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, events.createEvent, (event, { key }) => createDraft(deps, key, event));
  mount(app, events.updateEvent, (event, { key, ifMatch }) => updateEvent(deps, key, event, ifMatch));
  mount(app, events.publishEvent, (event, { key }) => publishEvent(deps, key, event));

  mount(app, types.createTicketType, (type, { key }) => createTicketType(deps, key, type));
  mount(app, types.updateTicketType, (type, { key }) => updateTicketType(deps, key, type));
  mount(app, capacities.listSharedCapacities, ({ event_id }, { key }) => listSharedCapacities(deps, key, event_id));
  mount(app, capacities.createSharedCapacity, (capacity, { key }) => createSharedCapacity(deps, key, capacity));
  mount(app, capacities.updateSharedCapacity, (capacity, { key }) => updateSharedCapacity(deps, key, capacity));

  mount(app, promo.listPromoCodes, ({ event_id }, { key }) => listCodes(deps, key, event_id));
  mount(app, promo.createPromoCode, (code, { key }) => createCode(deps, key, code));
  mount(app, promo.updatePromoCode, (code, { key }) => updateCode(deps, key, code));

  mount(app, comps.createComps, (guests, { key, idempotencyId }) =>
    createComps(deps, key, guests, idempotencyId ?? newId()),
  );
}
