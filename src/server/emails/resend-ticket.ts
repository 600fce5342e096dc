import { isGiven } from '#domain/accounts/roles.ts';
import { authorize } from '#server/accounts/policies.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { nextVersion } from '#server/platform/outbox/outbox.sql.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { ticketOfOrganization } from './outbox.sql.ts';

interface ResendRequest {
  /** Only identifies the ticket. The email goes to the address on the order. */
  email: string;
  confirmationNumber: string;
}

export async function resendTicket(
  { db, clock, rateLimiter }: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  actor: Actor,
  request: ResendRequest,
): Promise<void> {
  authorize(actor, 'ticket.resend');
  const { organizationId } = actor;
  const email = request.email.trim();
  const confirmationNumber = request.confirmationNumber.trim();
  const known = await ticketOfOrganization(db, organizationId, email, confirmationNumber);
  if (!known || !isGiven(actor, known.eventId)) throw new AppError('resend.unknown-ticket');
  // By ticket, not by the typed number: it can be typed in several ways.
  await consumeLimit(rateLimiter, 'resend-ticket', known.id);
  // A limit per event as well, so the whole guest list can't be emailed again ticket by ticket.
  await consumeLimit(rateLimiter, 'resend-ticket-event', known.eventId);
  await inTransaction(db, (tx) => queueTicketEmail(tx, clock.now(), { organizationId, email, confirmationNumber }));
}

async function queueTicketEmail(
  tx: Db,
  now: Date,
  { organizationId, email, confirmationNumber }: ResendRequest & { organizationId: string },
) {
  const ticket = await ticketOfOrganization(tx, organizationId, email, confirmationNumber);
  if (!ticket) throw new AppError('resend.unknown-ticket');
  if (ticket.state !== 'valid' && ticket.state !== 'scanned') throw new AppError('resend.ticket-refunded');

  // Two clicks at once get the same version, so only one email is queued.
  const version = await nextVersion(tx, 'ticket', ticket.id);
  await queueEmail(tx, {
    kind: 'ticket',
    subjectId: ticket.id,
    version,
    toAddress: ticket.buyerEmail,
    params: { eventId: ticket.eventId },
    now,
  });
}
