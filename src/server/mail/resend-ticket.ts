import { resendRefusals } from '#contract/guests.ts';
import { type Db, inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { conflict, notFound } from '#server/refusal.ts';
import { spendTry } from '#server/spend-try.ts';
import { nextVersionOf, ticketOfOrganizer } from './mail.sql.ts';
import { queueMail } from './queue-mail.ts';

interface ResendRequest {
  organizerId: string;
  /** As the guest list shows it. The mail goes to the address of the order, never to this one. */
  email: string;
  confirmationNumber: string;
}

export async function resendTicket(
  { db, clock, tries }: Pick<Deps, 'db' | 'clock' | 'tries'>,
  request: ResendRequest,
): Promise<void> {
  await spendTry(tries, 'resend-ticket', `${request.organizerId} ${request.confirmationNumber}`);
  const { organizerId, email, confirmationNumber } = request;
  const known = await ticketOfOrganizer(db, organizerId, email.trim(), confirmationNumber.trim());
  // One ticket has few tries; a whole guest list must not be mailed again either, ticket by ticket.
  if (known) await spendTry(tries, 'resend-ticket-event', known.eventId);
  await inTransaction(db, (tx) => queueAgain(tx, clock.now(), request));
}

async function queueAgain(tx: Db, now: Date, { organizerId, email, confirmationNumber }: ResendRequest) {
  const ticket = await ticketOfOrganizer(tx, organizerId, email.trim(), confirmationNumber.trim());
  if (!ticket) throw notFound(resendRefusals['unknown-ticket']);
  if (ticket.state !== 'valid' && ticket.state !== 'scanned') throw conflict(resendRefusals['ticket-refunded']);

  // Two clicks at once choose the same version, and so send one mail.
  const version = await nextVersionOf(tx, 'ticket', ticket.id);
  await queueMail(tx, {
    kind: 'ticket',
    subjectId: ticket.id,
    version,
    toAddress: ticket.buyerEmail,
    params: { eventId: ticket.eventId },
    now,
  });
}
