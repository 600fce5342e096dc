import type { FastifyInstance } from 'fastify';
import { editNameSearch as editNameSearchEndpoint } from '#contract/app/sales/find-guests.ts';
import * as contract from '#contract/app/sales/guest-forms.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { editNameSearch } from './at-door.ts';
import { editGuestForm, readGuestForm } from './edit-guest-form.ts';

export function guestFormRoutes(app: FastifyInstance, deps: Deps) {
  mount(app, contract.eventGuestForm, ({ eventId }, { organizer }) => readGuestForm(deps, organizer, eventId));
  mount(app, contract.editGuestForm, (form, { organizer }) => editGuestForm(deps, organizer, form));
  mount(app, editNameSearchEndpoint, (input, { organizer }) => editNameSearch(deps, organizer, input));
}
