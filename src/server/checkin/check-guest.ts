import {
  admitted,
  alreadyScanned,
  type CheckInStatus,
  checkInErrors,
  ticketOfOtherEvent,
} from '#contract/admission.ts';
import { tooBusy } from '#contract/sentences.ts';
import { AppError, type ErrorKind, unavailable } from '#server/platform/app-error.ts';
import { openBatcher } from '#server/platform/batching/batcher.ts';
import type { Db } from '#server/platform/database.ts';
import { perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Attendant } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { countFailure, takeSlot } from '#server/platform/rate-limit.ts';
import {
  admitTicket,
  admitTickets,
  type CheckInVerdict,
  otherEventOfTicket,
  type Scan,
  type TicketToCheckIn,
  ticketToCheckIn,
} from './check-in.sql.ts';

/** A scanner that fires twice, or repeats after a lost answer, gets its own success again for this long. */
const SAME_SCAN_MS = 3000;
/** So often a ticket is looked at that is refused and good by turns. */
const READS_MAX = 3;
const RETRY_SECONDS = 1;

/** All doors of all events: whoever scans while some are checked in is checked in with all the others who do. */
const checkInsOf = perDatabase((db) =>
  openBatcher<Scan, CheckInVerdict | null>({
    name: 'check-in',
    one: async (scan) => (await admitTickets(db, [scan]))[0] ?? null,
    many: (scans) => admitTickets(db, scans),
  }),
);

/** Safe to repeat with the same `scanId`: what let the guest in is answered so again, however late. */
export async function checkGuest(
  { db, tries }: Pick<Deps, 'db' | 'tries'>,
  attendant: Attendant,
  confirmationNumber: string,
  scanId: string = newId(),
) {
  const { eventId, grantId } = attendant;
  const scan = { eventId, confirmationNumber, scannedBy: grantId, scanId: scanId.toLowerCase() };
  // Far more than people who hold up wrong codes: a device that tries out numbers, to use up the tickets of others.
  const guesses = [{ budget: 'door-code', key: grantId }] as const;
  await takeSlot(tries, guesses);
  const verdict = (await checkInsOf(db).run(scan)) ?? (await checkAlone(db, scan));
  if (!verdict) {
    await countFailure(tries, guesses);
    throw await unknownHere(db, scan);
  }
  if (verdict.isAdmitted || isSameScan(verdict, scan) || isOwnRepeat(verdict, grantId))
    return { msg: admitted(verdict.ticketName), result: 'admitted' as const };
  throw errorOf(verdict);
}

/** A ticket that somebody holds is waited for here, where nobody waits behind it. */
async function checkAlone(db: Db, scan: Scan): Promise<CheckInVerdict | undefined> {
  for (let look = 0; look < READS_MAX; look++) {
    const isAdmitted = await admitTicket(db, scan);
    const ticket = await ticketToCheckIn(db, scan);
    if (!ticket || isAdmitted || !isAdmissible(ticket)) return ticket && { ...ticket, isAdmitted };
    // Good again since it was refused: a scan or a refund of it was taken back in between.
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

/** A guest at the wrong door of the same organizer is told which one is theirs. */
async function unknownHere(db: Db, scan: Scan): Promise<AppError> {
  const title = await otherEventOfTicket(db, scan);
  return title === undefined
    ? notAdmitted('not-found', 'unknown', checkInErrors['unknown-ticket'])
    : notAdmitted('not-found', 'other-event', ticketOfOtherEvent(title));
}

function errorOf(ticket: TicketToCheckIn): AppError {
  const { state, scannedAt } = ticket;
  const refuse = (result: keyof typeof checkInErrors & CheckInStatus) =>
    notAdmitted('conflict', result, checkInErrors[result]);
  if (ticket.cancelledAt) return refuse('event-cancelled');
  if (state === 'refunding' || state === 'refunded') return refuse(state);
  if (state === 'valid' && ticket.disputedAt) return refuse('disputed');
  if (state === 'void' || !scannedAt) return refuse('void');
  const when = clockIn(ticket.timezone).format(scannedAt);
  return notAdmitted('conflict', 'already-in', alreadyScanned(when, ticket.deviceName));
}

const notAdmitted = (kind: ErrorKind, result: CheckInStatus, msg: string) =>
  new AppError(kind, msg, undefined, { result });

/** Made once for each of the few zones: making one takes longer than the whole check. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockIn(timeZone: string): Intl.DateTimeFormat {
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeStyle: 'short' });
  clocks.set(timeZone, clock);
  return clock;
}
