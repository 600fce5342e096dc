/** Edits an event through its form. */
import { profile } from '#contract/app/accounts.ts';
import { editEvent, publicEvent } from '#contract/app/events.ts';
import type { InputOf } from '#contract/endpoint.ts';
import type { Visitor } from './http-visitor.ts';
import { eventForm, type Site } from './people.ts';

type Edit = InputOf<typeof editEvent>;

interface OwnEvent {
  visitor: Visitor;
  eventId: string;
}

/** Submits the current form with changes. Ticket types keep their ids by position. */
export async function editEventOf(site: Site, own: OwnEvent, change: Partial<Edit>): Promise<void> {
  const event = await listed(own);
  const { state, timezone, participants } = eventForm(site);
  const tickets = (change.tickets ?? event.tickets).map((ticket, index) => ({ ...event.tickets[index], ...ticket }));
  const reply = await own.visitor.call(editEvent, { ...event, state, timezone, participants, ...change, tickets });
  if (reply.status !== 200) throw new Error(`the edit was refused: ${reply.body.msg}`);
}

/** The edit form's current content, to send back with a change. */
export async function formOf(site: Site, own: OwnEvent): Promise<Edit> {
  const event = await listed(own);
  const form = eventForm(site);
  return { ...form, ...event, state: form.state, timezone: form.timezone };
}

/** Submits the current form with changes, which may be denied. */
export async function edit(site: Site, own: OwnEvent, change: Partial<Edit>) {
  return own.visitor.call(editEvent, { ...(await formOf(site, own)), ...change });
}

/** What the public sees of the event. */
export const shown = async (site: Site, { eventId }: { eventId: string }) => {
  const { body } = await site.call(publicEvent, { eventId });
  if (!('tickets' in body)) throw new Error(`the event is not shown: ${body.msg}`);
  return body;
};

export async function ticketsOf(
  site: Site,
  own: OwnEvent,
): Promise<[Edit['tickets'][number], Edit['tickets'][number]]> {
  const [general, balcony] = (await formOf(site, own)).tickets;
  if (!general || !balcony) throw new Error('two ticket types were expected');
  return [general, balcony];
}

async function listed({ visitor, eventId }: OwnEvent) {
  const { body } = await visitor.call(profile, {});
  const event = body.events.find((one) => one.eventId === eventId);
  if (!event) throw new Error('the event is not listed');
  return event;
}
