import type { FastifyInstance } from 'fastify';
import { editDoorNote as editDoorNoteEndpoint } from '#contract/app/sales/door-notes.ts';
import * as contract from '#contract/app/sales/order-names.ts';
import { namesSaved } from '#messages/sales/order-names.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { editDoorNote } from './edit-door-note.ts';
import { nameTickets } from './name-tickets.ts';

export function detailsRoutes(app: FastifyInstance, deps: Deps) {
  mount(app, editDoorNoteEndpoint, (input, { organizer }) => editDoorNote(deps, organizer, input));

  mount(app, contract.nameTickets, async (input) => {
    await nameTickets(deps, input);
    return { msg: namesSaved };
  });
}
