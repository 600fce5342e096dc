import { admissionRefusals, admitted, alreadyScanned } from '#contract/admission.ts';
import type { Db } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { openLane } from '#server/lane.ts';
import { perDatabase } from '#server/per-database.ts';
import { conflict, notFound } from '#server/refusal.ts';
import { countFailure, takeTurn } from '#server/spend-try.ts';
import { admitTicket, admitTickets, type DoorTicket, type Scan, ticketAtDoor, type Verdict } from './admission.sql.ts';
import type { Attendant } from './read-grant.ts';

/** A scanner that fires twice, or repeats after a lost answer, gets its own success again for this long. */
const SAME_SCAN_MS = 3000;

/** All doors of all events: whoever scans while some are checked in is checked in with all the others who do. */
const doorsOf = perDatabase((db) =>
  openLane<Scan, Verdict | null>({
    name: 'check-in',
    one: async (scan) => (await admitTickets(db, [scan]))[0] ?? null,
    many: (scans) => admitTickets(db, scans),
  }),
);

export async function checkGuest(
  { db, tries }: Pick<Deps, 'db' | 'tries'>,
  attendant: Attendant,
  confirmationNumber: string,
) {
  const { eventId, grantId } = attendant;
  const scan = { eventId, confirmationNumber, scannedBy: grantId };
  // Far more than people who hold up wrong codes: a device that tries out numbers, to use up the tickets of others.
  const guesses = [{ budget: 'door-code', key: grantId }] as const;
  await takeTurn(tries, guesses);
  const verdict = (await doorsOf(db).run(scan)) ?? (await checkAlone(db, scan));
  if (!verdict) {
    await countFailure(tries, guesses);
    throw notFound(admissionRefusals['unknown-ticket']);
  }
  if (verdict.isAdmitted || isOwnRepeat(verdict, grantId))
    return { msg: admitted(verdict.ticketName), result: 'admitted' as const };
  throw conflict(reasonAgainst(verdict));
}

/** A ticket that somebody holds is waited for here, where nobody waits behind it. */
async function checkAlone(db: Db, scan: Scan): Promise<Verdict | undefined> {
  const isAdmitted = await admitTicket(db, scan);
  const ticket = await ticketAtDoor(db, scan);
  return ticket && { ...ticket, isAdmitted };
}

function isOwnRepeat({ scannedAt, scannedBy, state, now }: DoorTicket, grantId: string): boolean {
  return (
    state === 'scanned' &&
    scannedBy === grantId &&
    scannedAt !== null &&
    now.getTime() - scannedAt.getTime() <= SAME_SCAN_MS
  );
}

function reasonAgainst(ticket: DoorTicket): string {
  if (ticket.cancelledAt) return admissionRefusals['event-cancelled'];
  if (ticket.state === 'refunding') return admissionRefusals.refunding;
  if (ticket.state === 'refunded') return admissionRefusals.refunded;
  if (ticket.state === 'valid' && ticket.disputedAt) return admissionRefusals.disputed;
  if (ticket.state === 'void' || !ticket.scannedAt) return admissionRefusals.void;
  return alreadyScanned(clockIn(ticket.timezone).format(ticket.scannedAt), null);
}

/** Made once for each of the few zones: making one takes longer than the whole check. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockIn(timeZone: string): Intl.DateTimeFormat {
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeStyle: 'short' });
  clocks.set(timeZone, clock);
  return clock;
}
