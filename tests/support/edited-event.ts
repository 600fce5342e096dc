/** Edits an event through its form. */
import { profile } from '#contract/app/accounts.ts';
import { editEvent } from '#contract/app/events.ts';
import type { InputOf } from '#contract/endpoint.ts';
import type { Visitor } from './http-visitor.ts';
import { eventForm, type Site } from './people.ts';

type Edit = InputOf<typeof editEvent>;

/** Submits the current form with changes. Ticket types keep their ids by position. */
export async function editEventOf(
  site: Site,
  { visitor, eventId }: { visitor: Visitor; eventId: string },
  change: Partial<Edit>,
): Promise<void> {
  const { body } = await visitor.call(profile, {});
  const event = body.events.find((one) => one.eventId === eventId);
  if (!event) throw new Error('the event is not listed');
  const { state, timezone, participants } = eventForm(site);
  const tickets = (change.tickets ?? event.tickets).map((ticket, index) => ({ ...event.tickets[index], ...ticket }));
  const reply = await visitor.call(editEvent, { ...event, state, timezone, participants, ...change, tickets });
  if (reply.status !== 200) throw new Error(`the edit was refused: ${reply.body.msg}`);
}
