import {
  admitted,
  alreadyScanned,
  type CheckInStatus,
  checkInErrors,
  ticketOfOtherEvent,
} from '#contract/app/check-in.ts';
import { tooBusy } from '#contract/messages/requests.ts';
import { AppError, type ErrorKind, unavailable } from '#server/platform/app-error.ts';
import { openBatcher } from '#server/platform/batching/batcher.ts';
import type { Db } from '#server/platform/database.ts';
import { perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Attendant } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { countFailure, takeSlot } from '#server/platform/rate-limit.ts';
import {
  type AdmitResult,
  admitTicket,
  admitTickets,
  otherEventOfTicket,
  type Scan,
  type TicketToCheckIn,
  ticketToCheckIn,
} from './check-in.sql.ts';

/** A scanner that fires twice, or retries after a lost response, gets its own success again for this long. */
const SAME_SCAN_MS = 3000;
/** Retry limit for a ticket whose state flips during the check. */
const ATTEMPTS_MAX = 3;
const RETRY_SECONDS = 1;

/** Scans of all events that arrive while a batch runs form the next batch. */
const checkInBatcherOf = perDatabase((db) =>
  openBatcher<Scan, AdmitResult | null>({
    name: 'check-in',
    one: async (scan) => (await admitTickets(db, [scan]))[0] ?? null,
    many: (scans) => admitTickets(db, scans),
  }),
);

/** Idempotent by `scanId`: repeating the scan that admitted the guest always succeeds. */
export async function checkGuest(
  { db, rateLimiter }: Pick<Deps, 'db' | 'rateLimiter'>,
  attendant: Attendant,
  confirmationNumber: string,
  scanId: string = newId(),
) {
  const { eventId, grantId } = attendant;
  const scan = { eventId, confirmationNumber, scannedBy: grantId, scanId: scanId.toLowerCase() };
  // Stops a device that tries numbers at random to use up other people's tickets.
  const attempts = [{ limit: 'check-in-code', key: grantId }] as const;
  await takeSlot(rateLimiter, attempts);
  const result = (await checkInBatcherOf(db).run(scan)) ?? (await checkInUnbatched(db, scan));
  if (!result) {
    await countFailure(rateLimiter, attempts);
    throw await unknownTicketError(db, scan);
  }
  if (result.isAdmitted || isSameScan(result, scan) || isOwnRepeat(result, grantId))
    return { msg: admitted(result.ticketName), result: 'admitted' as const };
  throw denialError(result);
}

/** Waits for a locked ticket outside the batch, so that it does not delay other scans. */
async function checkInUnbatched(db: Db, scan: Scan): Promise<AdmitResult | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const isAdmitted = await admitTicket(db, scan);
    const ticket = await ticketToCheckIn(db, scan);
    if (!ticket || isAdmitted || !isAdmissible(ticket)) return ticket && { ...ticket, isAdmitted };
    // The ticket became valid in between: an undone check-in or a withdrawn refund.
  }
  throw unavailable(tooBusy, RETRY_SECONDS);
}

const isAdmissible = ({ state, disputedAt, cancelledAt }: TicketToCheckIn) =>
  state === 'valid' && disputedAt === null && cancelledAt === null;

const isSameScan = (ticket: TicketToCheckIn, scan: Scan) => ticket.state === 'scanned' && ticket.scanId === scan.scanId;

function isOwnRepeat({ scannedAt, scannedBy, state, now }: TicketToCheckIn, grantId: string): boolean {
  return (
    state === 'scanned' &&
    scannedBy === grantId &&
    scannedAt !== null &&
    now.getTime() - scannedAt.getTime() <= SAME_SCAN_MS
  );
}

/** Names the event if the ticket belongs to another event of the same organizer. */
async function unknownTicketError(db: Db, scan: Scan): Promise<AppError> {
  const title = await otherEventOfTicket(db, scan);
  return title === undefined
    ? notAdmitted('not-found', 'unknown', checkInErrors['unknown-ticket'])
    : notAdmitted('not-found', 'other-event', ticketOfOtherEvent(title));
}

function denialError(ticket: TicketToCheckIn): AppError {
  const { state, scannedAt } = ticket;
  const deny = (result: keyof typeof checkInErrors & CheckInStatus) =>
    notAdmitted('conflict', result, checkInErrors[result]);
  if (ticket.cancelledAt) return deny('event-cancelled');
  if (state === 'refunding' || state === 'refunded') return deny(state);
  if (state === 'valid' && ticket.disputedAt) return deny('disputed');
  if (state === 'void' || !scannedAt) return deny('void');
  const scannedTime = timeFormatIn(ticket.timezone).format(scannedAt);
  return notAdmitted('conflict', 'already-in', alreadyScanned(scannedTime, ticket.deviceName));
}

const notAdmitted = (kind: ErrorKind, result: CheckInStatus, msg: string) =>
  new AppError(kind, msg, undefined, { result });

/** Cached per time zone: creating a format takes longer than the whole check. */
const timeFormats = new Map<string, Intl.DateTimeFormat>();

function timeFormatIn(timeZone: string): Intl.DateTimeFormat {
  const format = timeFormats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeStyle: 'short' });
  timeFormats.set(timeZone, format);
  return format;
}
