/** A program checks in, such as a turnstile. At the door it is a device under the name of its key. */
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type { checkInTicket as call } from '#contract/v1/tickets.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { KeyHolder } from '#server/platform/http/callers.ts';
import { isUuid, newId } from '#server/platform/ids.ts';
import { type CheckInResult, checkGuest } from './check-guest.ts';
import { ticketOfOrganization } from './check-in.sql.ts';
import { enterKey } from './devices/enter-device.ts';

/** The ticket that a key reaches, and what its check found. */
export async function checkInByKey(
  deps: Pick<Deps, 'db' | 'rateLimiter' | 'log'>,
  key: KeyHolder,
  { ticket_id, scan_id }: InputOf<typeof call>,
): Promise<{ checked: CheckInResult; reply: Omit<ReplyOf<typeof call>, 'result'> }> {
  const ticket = isUuid(ticket_id) ? await ticketOfOrganization(deps.db, key.organizationId, ticket_id) : undefined;
  if (!ticket) throw new AppError('check-in.unknown-ticket');
  const { eventId, confirmationNumber, ticketName } = ticket;
  await authorizeEvent(deps, key, 'check-in.scan', eventId);
  await enterKey(deps.db, key, eventId);
  const attendant = { eventId, deviceId: key.keyId, isMember: true, isProgram: true };
  const checked = await checkGuest(deps, attendant, confirmationNumber, scan_id ?? newId());
  return { checked, reply: { ticket_id, event_id: eventId, ticket_type: ticketName } };
}
