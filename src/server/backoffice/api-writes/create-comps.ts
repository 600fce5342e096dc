import { addComps as form } from '#contract/app/sales/comps.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type { createComps as call } from '#contract/v1/comps.ts';
import { addComps } from '#server/orders/comps/add-comps.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { KeyHolder } from '#server/platform/http/callers.ts';
import { parseForm } from '#server/platform/http/read-input.ts';
import { ticketsOfComps } from './comps.sql.ts';
import { withFieldNames } from './field-names.ts';

/** @param compsId of the request, so that one which runs again adds no guest twice */
export async function createComps(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  key: KeyHolder,
  { event_id: eventId, guests }: InputOf<typeof call>,
  compsId: string,
): Promise<ReplyOf<typeof call>> {
  const rows = guests.map(({ ticket_type_id: ticketId, door_note: doorNote, ...guest }) => ({
    ...guest,
    ticketId,
    ...(doorNote !== undefined && { doorNote }),
  }));
  await withFieldNames(() => addComps(deps, key, parseForm(form.input, { eventId, compsId, guests: rows })));
  const tickets = await ticketsOfComps(deps.db, { eventId, compsId });
  return {
    id: compsId,
    event_id: eventId,
    tickets: tickets.map((ticket) => ({
      id: ticket.id,
      order_id: ticket.orderId,
      ticket_type_id: ticket.ticketTypeId,
      confirmation_number: ticket.confirmationNumber,
    })),
  };
}
