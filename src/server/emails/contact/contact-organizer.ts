import type { contactOrganizer as call } from '#contract/app/sales/contact.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { emailOwners } from '#server/accounts/organization.ts';
import { AppError } from '#server/platform/app-error.ts';
import { clientNetwork } from '#server/platform/client-network.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { nextVersion } from '#server/platform/outbox/outbox.sql.ts';
import { queueLimitedEmail } from '#server/platform/outbox/queue-limited-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { findContact } from './find-contact.ts';

/**
 * Emails a message to the owners of the organization, who answer by Reply-To. The text is in the emails and nowhere else. See
 * docs/decisions/0069.
 */
export async function contactOrganizer(
  deps: Pick<Deps, 'db' | 'clock' | 'appSecret' | 'rateLimiter' | 'rateLimitScale'>,
  { about, messageId, email, message, honeypot }: InputOf<typeof call>,
  ip: string,
): Promise<void> {
  // A bot gets the answer that it expects.
  if (honeypot) return;
  const found = await findContact(deps, about);
  if (!found) throw new AppError('event.not-found');
  const { event, state, buyer } = found;
  if (state !== 'open') throw new AppError(`contact.${state}`);
  const from = buyer?.email ?? email;
  if (from === undefined) throw new AppError('contact.no-address');
  if (buyer) await consumeLimit(deps.rateLimiter, 'contact-order', buyer.orderId);
  else await limitVisitor(deps, { from, eventId: event.eventId, ip });

  const now = deps.clock.now();
  const { eventId, organizationId } = event;
  await inTransaction(deps.db, async (tx) => {
    const params = { eventId, from, message, buyerName: buyer?.name ?? null, isBuyer: buyer !== null };
    await emailOwners(tx, organizationId, { kind: 'contact', subjectId: messageId, params, now });
    // Of two requests with one message, the second waits above for the first.
    if ((await nextVersion(tx, 'contact-copy', messageId)) > 1) return;
    const copy = { kind: 'contact-copy', subjectId: messageId, toAddress: from, params: { eventId, message } } as const;
    await queueLimitedEmail(tx, deps, { ...copy, now });
  });
}

/** Others can use up the limit of an event, so buyers have one of their own. */
async function limitVisitor(
  { rateLimiter }: Pick<Deps, 'rateLimiter'>,
  { from, eventId, ip }: { from: string; eventId: string; ip: string },
): Promise<void> {
  const network = clientNetwork(ip);
  if (network !== null) await consumeLimit(rateLimiter, 'contact', network);
  await consumeLimit(rateLimiter, 'contact-sender', from.toLowerCase());
  await consumeLimit(rateLimiter, 'contact-event', eventId);
}
