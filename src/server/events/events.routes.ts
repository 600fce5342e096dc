import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/events.ts';
import { guestFile, guestPage } from '#contract/guests.ts';
import type { Deps } from '#server/deps.ts';
import { mount } from '#server/http/mount.ts';
import { mountFile } from '#server/http/mount-file.ts';
import { cancelEvent } from './cancel-event.ts';
import { createEvent } from './create-event.ts';
import { editEvent } from './edit-event.ts';
import { exportGuests } from './export-guests.ts';
import { listGuests } from './list-guests.ts';
import { locateAddress } from './locate-address.ts';

export function eventRoutes(app: FastifyInstance, deps: Deps) {
  mount(app, contract.createEvent, async (form, { organizer }) => createEvent(deps, organizer, form));

  mount(app, contract.editEvent, async (edit, { organizer }) => editEvent(deps, organizer.userId, edit));

  mount(app, contract.cancelEvent, async ({ eventId }, { organizer }) => {
    await cancelEvent(deps, organizer.userId, eventId);
    return { msg: contract.eventCancelledByOrganizer };
  });

  mount(app, contract.getCoords, async (address, { organizer }) => locateAddress(deps, organizer.userId, address));

  mount(app, guestPage, async (query, { organizer }) => listGuests(deps, organizer.userId, query));

  mountFile(app, guestFile, 'text/csv', async (query, { organizer }) => exportGuests(deps, organizer.userId, query));
}
