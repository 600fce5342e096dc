import type { CheckInStatus, DoorNote } from '#contract/app/check-in.ts';
import { denyScan } from '#domain/check-in-hours.ts';
import { type AdmitResult, admitTickets, type Scan, type ScannedTicket } from '#server/orders/core/admit.sql.ts';
import { findFormerNumber } from '#server/orders/core/transfers.sql.ts';
import { doorNotesOf } from '#server/orders/details/door-notes.ts';
import { openBatcher } from '#server/platform/batching/batcher.ts';
import type { Db } from '#server/platform/database.ts';
import { perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Attendant } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { countFailure, takeSlot } from '#server/platform/rate-limit.ts';
import { deviceName, otherEventOfTicket } from './check-in.sql.ts';

/** A scanner that fires twice, or retries after a lost response, gets its own success again for this long. A program may be many gates. */
const SAME_SCAN_MS = 3000;

/** Scans of all events that arrive while a batch runs form the next batch. */
const checkInBatcherOf = perDatabase((db) =>
  openBatcher<Scan, AdmitResult | null>({
    name: 'check-in',
    one: async (scan) => (await admitTickets(db, [scan], { waits: false }))[0] ?? null,
    many: (scans) => admitTickets(db, scans, { waits: false }),
  }),
);

/** What the check of a ticket found. Denials are expected, so they are results. */
export type CheckInResult =
  | { status: 'admitted' | 'handed-out'; ticketName: string; notes?: DoorNote[] }
  | { status: 'already-in' | 'already-handed-out'; at: Date; timezone: string; device: string | null }
  | { status: 'other-event'; title: string }
  | { status: 'not-open' | 'closed'; at: Date; timezone: string }
  | { status: 'transferred'; at: Date; now: Date; timezone: string }
  | {
      status: Exclude<
        CheckInStatus,
        | 'admitted'
        | 'handed-out'
        | 'already-in'
        | 'already-handed-out'
        | 'not-open'
        | 'closed'
        | 'other-event'
        | 'transferred'
      >;
    };

/** Idempotent by `scanId`: repeating the scan that admitted the guest always succeeds. */
export async function checkGuest(
  { db, rateLimiter, log }: Pick<Deps, 'db' | 'rateLimiter' | 'log'>,
  attendant: Attendant,
  confirmationNumber: string,
  scanId: string = newId(),
): Promise<CheckInResult> {
  const { eventId, deviceId } = attendant;
  const scan = { eventId, confirmationNumber, scannedBy: deviceId, scanId: scanId.toLowerCase() };
  // Stops a device that tries numbers at random to use up other people's tickets.
  const attempts = [{ limit: 'check-in-code', key: deviceId }] as const;
  await takeSlot(rateLimiter, attempts);
  const result = (await checkInBatcherOf(db).run(scan)) ?? (await admitLocked(db, scan));
  if (!result) {
    const former = await findFormerNumber(db, eventId, confirmationNumber);
    if (former) return { status: 'transferred', at: former.replacedAt, ...former };
    await countFailure(rateLimiter, attempts);
    return unknownTicket(db, scan);
  }
  if (result.isAdmitted || isSameScan(result, scan) || (!attendant.isProgram && isOwnRepeat(result, deviceId)))
    return { ...acceptedAs(result), ...(result.hasDoorNotes && { notes: await notesFor({ db, log }, scan) }) };
  return deniedTicket(db, eventId, result);
}

const acceptedAs = ({ isAddOn, ticketName }: AdmitResult) =>
  ({ status: isAddOn ? 'handed-out' : 'admitted', ticketName }) as const;

/** The guest is in, whether or not the notes can be read. */
async function notesFor({ db, log }: Pick<Deps, 'db' | 'log'>, scan: Scan): Promise<DoorNote[]> {
  try {
    return await doorNotesOf(db, scan);
  } catch (err) {
    log.error({ err, eventId: scan.eventId }, 'could not read the door notes of a checked-in guest');
    return [];
  }
}

/** Waits for a locked ticket outside the batch, so that it does not delay other scans. */
async function admitLocked(db: Db, scan: Scan): Promise<AdmitResult | null> {
  return (await admitTickets(db, [scan], { waits: true }))[0] ?? null;
}

const isSameScan = (ticket: ScannedTicket, scan: Scan) => ticket.state === 'scanned' && ticket.scanId === scan.scanId;

function isOwnRepeat({ scannedAt, scannedBy, state, now }: ScannedTicket, deviceId: string): boolean {
  return (
    state === 'scanned' &&
    scannedBy === deviceId &&
    scannedAt !== null &&
    now.getTime() - scannedAt.getTime() <= SAME_SCAN_MS
  );
}

/** Names the event if the ticket belongs to another event of the same organization. */
async function unknownTicket(db: Db, scan: Scan): Promise<CheckInResult> {
  const title = await otherEventOfTicket(db, scan);
  return title === undefined ? { status: 'unknown' } : { status: 'other-event', title };
}

async function deniedTicket(db: Db, eventId: string, ticket: ScannedTicket): Promise<CheckInResult> {
  const { scannedAt, scannedBy, isAddOn, timezone, opensAt, closesAt, now } = ticket;
  const denial = denyScan(ticket, ticket, now) ?? 'already-in';
  if (denial === 'not-open') return { status: denial, at: opensAt ?? now, timezone };
  if (denial === 'closed') return { status: denial, at: closesAt ?? now, timezone };
  if (denial !== 'already-in') return { status: denial };
  const device = scannedBy === null ? null : await deviceName(db, eventId, scannedBy);
  return { status: isAddOn ? 'already-handed-out' : 'already-in', at: scannedAt ?? now, timezone, device };
}
