import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/events.ts';
import { eventCancelledByOrganizer } from '#messages/events.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { cancelEvent } from './cancel-event.ts';
import { createEvent } from './create-event.ts';
import { editTickets, readTickets } from './edit-tickets.ts';
import { locateAddress } from './locate-address.ts';

/** Editing one event may concern its series: see series-changes. */
export function eventRoutes(app: FastifyInstance, deps: Deps) {
  mount(app, contract.createEvent, async (form, { organizer }) => createEvent(deps, organizer, form));

  mount(app, contract.eventTickets, ({ eventId }, { organizer }) => readTickets(deps, organizer, eventId));
  mount(app, contract.editTickets, (edit, { organizer }) => editTickets(deps, organizer, edit));

  mount(app, contract.cancelEvent, async ({ eventId }, { organizer }) => {
    await cancelEvent(deps, organizer, eventId);
    return { msg: eventCancelledByOrganizer };
  });

  mount(app, contract.getCoords, async (address, { organizer }) => locateAddress(deps, organizer, address));
}
