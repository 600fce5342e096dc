import type { FastifyInstance } from 'fastify';
import type { DoorNote } from '#contract/app/check-in.ts';
import * as contract from '#contract/app/check-in.ts';
import { syncScans as syncScansEndpoint, undoCheckIn as undoCheckInEndpoint } from '#contract/app/check-in-devices.ts';
import * as search from '#contract/app/sales/find-guests.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { checkInTicket } from '#contract/v1/tickets.ts';
import { admitted, attendantAccepted, handOut } from '#messages/check-in.ts';
import { dayAndTime } from '#messages/format.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { checkInByKey } from './api-check-in.ts';
import { type CheckInResult, checkGuest } from './check-guest.ts';
import { changeAttendantCode } from './devices/change-attendant-code.ts';
import { enterAttendantCode, GRANT_SECONDS } from './devices/enter-attendant-code.ts';
import { checkInFoundGuest, findGuests, mayFindGuests } from './find-guests.ts';
import { syncScans } from './sync/sync-scans.ts';
import { undoCheckIn } from './sync/undo-check-in.ts';

export function checkInRoutes(app: FastifyInstance, deps: Deps) {
  mount(app, contract.enterAttendantCode, async ({ formData, eventId }, { ip, cookies }) => {
    const cookie = await enterAttendantCode(deps, {
      eventId,
      attendantCode: formData.attendantCode,
      deviceName: formData.deviceName ?? '',
      isSpam: Boolean(formData.honeypot),
      ip,
      cookie: cookies.read('attendant'),
    });
    cookies.write('attendant', cookie, GRANT_SECONDS);
    return { msg: attendantAccepted };
  });

  mount(app, contract.changeAttendantCode, async ({ eventId }, { organizer }) =>
    changeAttendantCode(deps, organizer, eventId),
  );

  mount(app, contract.checkGuest, async ({ confirmationNumber, scanId }, { attendant }) =>
    checkInReply(await checkGuest(deps, attendant, confirmationNumber, scanId)),
  );

  mount(app, checkInTicket, async (scan, { key }) => {
    const { checked, reply } = await checkInByKey(deps, key, scan);
    const { result } = checkInReply(checked);
    const answer: ReplyOf<typeof checkInTicket> = {
      ...reply,
      result: result === 'admitted' ? result : 'handed_out',
    };
    return answer;
  });

  mount(app, contract.checkGuestManual, async ({ manualFormData, scanId }, { attendant }) =>
    // A bot that fills the honeypot gets the same response as a wrong code.
    checkInReply(
      await checkGuest(deps, attendant, manualFormData.honeypot ? '' : manualFormData.confirmationNumber, scanId),
    ),
  );
}

/** @param priorityDeps with the connection pool reserved for check-ins; syncing past scans uses the shared pool */
export function syncRoutes(app: FastifyInstance, deps: Deps, priorityDeps: Deps) {
  mount(app, syncScansEndpoint, async ({ scans }, { attendant }) => syncScans(deps, attendant, scans));

  mount(app, undoCheckInEndpoint, async ({ scanId }, { attendant }) => undoCheckIn(priorityDeps, attendant, scanId));
}

/** @param priorityDeps with the connection pool reserved for check-ins; a search reads all names of an event, on the shared pool */
export function guestSearchRoutes(app: FastifyInstance, deps: Deps, priorityDeps: Deps) {
  mount(app, search.nameSearch, async (_input, { attendant }) => mayFindGuests(priorityDeps, attendant));

  mount(app, search.findGuests, async ({ name }, { attendant }) => findGuests(deps, attendant, name));

  mount(app, search.checkInFoundGuest, async (found, { attendant }) =>
    checkInReply(await checkInFoundGuest(priorityDeps, attendant, found)),
  );
}

/** On the wire, a denial is an error with a status and a code, as the scanner's calls expect. */
export function checkInReply(result: CheckInResult): ReplyOf<typeof contract.checkGuest> {
  switch (result.status) {
    case 'admitted':
      return { msg: admitted(result.ticketName), result: result.status, ...notesOf(result) };
    case 'handed-out':
      return { msg: handOut(result.ticketName), result: result.status, ...notesOf(result) };
    case 'already-in':
    case 'already-handed-out': {
      const time = timeFormatIn(result.timezone).format(result.at);
      throw new AppError(`check-in.${result.status}`, { time, device: result.device });
    }
    case 'not-open':
      throw new AppError('check-in.not-open', { opens: dayAndTime(result.at, result.timezone) });
    case 'closed':
      throw new AppError('check-in.closed', { closed: dayAndTime(result.at, result.timezone) });
    case 'transferred': {
      const { at, now, timezone } = result;
      const isToday = shortDate(at, timezone) === shortDate(now, timezone);
      const when = isToday ? timeFormatIn(timezone).format(at) : dayAndTime(at, timezone);
      throw new AppError('check-in.transferred', { when, isToday });
    }
    case 'other-event':
      throw new AppError('check-in.other-event', { title: result.title });
    case 'unknown':
      throw new AppError('check-in.unknown-ticket');
    case 'disputed':
    case 'event-cancelled':
    case 'refunded':
    case 'refunding':
    case 'void':
      throw new AppError(`check-in.${result.status}`);
  }
}

const shortDate = (at: Date, timeZone: string): string => at.toLocaleDateString('en-US', { timeZone });
const notesOf = ({ notes = [] }: { notes?: DoorNote[] }) => (notes.length > 0 ? { notes } : {});

/** Cached per time zone: creating a format takes longer than the whole check. */
const timeFormats = new Map<string, Intl.DateTimeFormat>();

function timeFormatIn(timeZone: string): Intl.DateTimeFormat {
  const format = timeFormats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeStyle: 'short' });
  timeFormats.set(timeZone, format);
  return format;
}
