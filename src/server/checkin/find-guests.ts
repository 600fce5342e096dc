/** The door's search by name. See docs/decisions/0068. */
import type * as contract from '#contract/app/sales/find-guests.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { nameAtDoor } from '#domain/sales/guest-search.ts';
import { readNameSearch, requireNameSearch } from '#server/events/guest-form/at-door.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Attendant } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { type CheckInResult, checkGuest } from './check-guest.ts';
import { guestsNamed, numberOfTicket } from './find-guests.sql.ts';

const RESULTS_MAX = 20;

export async function mayFindGuests(
  { db }: Pick<Deps, 'db'>,
  { eventId, isMember }: Attendant,
): Promise<ReplyOf<typeof contract.nameSearch>> {
  const isOn = await readNameSearch(db, eventId);
  return { isOn, checksIn: isOn && isMember };
}

/** The name isn't recorded: it would outlive what the event keeps about its guests. */
export async function findGuests(
  { db, clock, rateLimiter }: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  attendant: Attendant,
  name: InputOf<typeof contract.findGuests>['name'],
): Promise<ReplyOf<typeof contract.findGuests>> {
  const { eventId, deviceId, isMember } = attendant;
  await requireNameSearch(db, eventId);
  await consumeLimit(rateLimiter, 'find-guest', `${eventId} ${deviceId}`);
  await consumeLimit(rateLimiter, 'find-guest-event', eventId);
  const found = await guestsNamed(db, { eventId, name, limit: RESULTS_MAX + 1 });
  const shown = found.slice(0, RESULTS_MAX);
  await recordAuditEvent(db, {
    action: 'find-guests',
    ...actorOf(attendant),
    subject: eventId,
    eventId,
    params: { found: shown.length },
    at: clock.now(),
  });
  return {
    guests: shown.map(({ ticketId, scannedAt, ...guest }) => ({
      ...guest,
      name: nameAtDoor(guest.name),
      scannedAt: scannedAt && scannedAt.getTime(),
      ticketId: isMember && guest.state === 'valid' ? ticketId : null,
    })),
    isMore: found.length > RESULTS_MAX,
  };
}

/** Like a scan of the ticket. */
export async function checkInFoundGuest(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'log'>,
  attendant: Attendant,
  { ticketId, scanId }: InputOf<typeof contract.checkInFoundGuest>,
): Promise<CheckInResult> {
  const { eventId } = attendant;
  if (!attendant.isMember) throw new AppError('guest-search.members-only');
  await requireNameSearch(deps.db, eventId);
  const confirmationNumber = await numberOfTicket(deps.db, { eventId, ticketId });
  if (confirmationNumber === undefined) throw new AppError('guest-search.unknown');
  const result = await checkGuest(deps, attendant, confirmationNumber, scanId);
  if (result.status === 'admitted' || result.status === 'handed-out')
    await recordAuditEvent(deps.db, {
      action: 'check-in-found-guest',
      ...actorOf(attendant),
      subject: ticketId,
      eventId,
      at: deps.clock.now(),
      once: scanId,
    });
  return result;
}

const actorOf = ({ deviceId, isMember, sessionId }: Attendant) => ({
  actorId: deviceId,
  ...(sessionId && { sessionId }),
  actorKind: isMember ? ('member' as const) : ('attendant' as const),
});
