/** Guests at no charge, as the *Comps* screen adds them. */
import { randomUUID } from 'node:crypto';
import { eventTickets } from '#contract/app/events.ts';
import { addComps, comps } from '#contract/app/sales/comps.ts';
import { importGuests } from '#contract/app/sales/import-guests.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type { Answer, Visitor } from './http-visitor.ts';
import { expectOk } from './people.ts';

interface Event {
  visitor: Visitor;
  eventId: string;
}

interface NewGuest {
  email?: string;
  name?: string;
  doorNote?: string;
  quantity?: number;
  ticketName?: string;
}

export async function guestsToAdd({ visitor, eventId }: Event, guests: readonly NewGuest[]) {
  const { tickets } = expectOk(await visitor.call(eventTickets, { eventId }));
  const idOf = (ticketName: string) => tickets.find((type) => type.ticketName === ticketName)?.ticketId ?? '';
  return guests.map(({ quantity = 1, ticketName = tickets[0]?.ticketName ?? '', ...guest }) => ({
    ...guest,
    quantity,
    ticketId: idOf(ticketName),
  }));
}

export async function addGuests(
  event: Event,
  guests: readonly NewGuest[],
  { raisesQuantity = false, compsId = randomUUID() } = {},
) {
  const { visitor, eventId } = event;
  return visitor.call(addComps, { eventId, compsId, guests: await guestsToAdd(event, guests), raisesQuantity });
}

/** Newest first. */
export const compsOf = async ({ visitor, eventId }: Event) => expectOk(await visitor.call(comps, { eventId })).comps;

type ImportInput = Omit<InputOf<typeof importGuests>, 'eventId' | 'importId'> & { importId?: string };

/** Uploads a file of guests, as the *Comps* screen does. */
export function importFile(
  { visitor, eventId }: Event,
  csv: string | Uint8Array,
  { importId = randomUUID(), ...input }: ImportInput = {},
): Promise<Answer<ReplyOf<typeof importGuests>>> {
  const body = new FormData();
  for (const [name, value] of Object.entries({ importId, ...input })) body.append(name, String(value));
  body.append('file', new Blob([typeof csv === 'string' ? csv : new Uint8Array(csv)]), 'guests.csv');
  return visitor.request(importGuests.path.replace(':eventId', eventId), { method: 'POST', body });
}
