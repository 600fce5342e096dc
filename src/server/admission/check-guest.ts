import { admissionRefusals, admitted, alreadyScanned } from '#contract/admission.ts';
import type { Deps } from '#server/deps.ts';
import { conflict, notFound } from '#server/refusal.ts';
import { admitTicket, ticketAtDoor } from './admission.sql.ts';
import type { Attendant } from './read-grant.ts';

/** A scanner that fires twice, or repeats after a lost answer, gets its own success again for this long. */
const SAME_SCAN_MS = 3000;

export async function checkGuest({ db }: Pick<Deps, 'db'>, attendant: Attendant, confirmationNumber: string) {
  const { eventId, grantId } = attendant;
  const ticketName = await admitTicket(db, { eventId, confirmationNumber, scannedBy: grantId });
  if (ticketName !== null) return { msg: admitted(ticketName) };

  const ticket = await ticketAtDoor(db, eventId, confirmationNumber);
  if (!ticket) throw notFound(admissionRefusals['unknown-ticket']);
  if (isOwnRepeat(ticket, grantId)) return { msg: admitted(ticket.ticketName) };
  throw conflict(reasonAgainst(ticket));
}

type DoorTicket = NonNullable<Awaited<ReturnType<typeof ticketAtDoor>>>;

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
  return alreadyScanned(
    ticket.scannedAt.toLocaleTimeString('en-US', { timeZone: ticket.timezone, hour: 'numeric', minute: '2-digit' }),
  );
}
