/** Gives a ticket to another address: by its buyer from the order's page, or by its holder from the ticket's. See docs/decisions/0066. */
import type { transferTicket as endpoint } from '#contract/app/sales/ticket-transfers.ts';
import type { InputOf } from '#contract/endpoint.ts';
import type { OrderRef } from '#domain/order.ts';
import { denyTransfer } from '#domain/sales/ticket-transfers.ts';
import { askedForm } from '#server/events/guest-form/asked-form.ts';
import { findOrderTickets, lockOrder } from '#server/orders/core/orders.sql.ts';
import { lockEventToTransfer, lockTicketToTransfer, transferTo } from '#server/orders/core/transfers.sql.ts';
import { replaceGuest } from '#server/orders/details/order-guests.sql.ts';
import { type FoundOrder, isShownWith, pageOfLink } from '#server/orders/find-by-link.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isErased } from '#server/platform/erased-address.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { type EmailLimits, queueLimitedEmail } from '#server/platform/outbox/queue-limited-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';

type TransferDeps = Pick<Deps, 'db' | 'rateLimiter'> & EmailLimits;

export async function transferTicket(
  deps: TransferDeps,
  { token, position, email, name = '' }: InputOf<typeof endpoint>,
  { ip }: { ip: string },
): Promise<void> {
  const found = await pageOfLink(deps, token);
  if (!found) throw new AppError('checkout.unknown');
  await consumeLimit(deps.rateLimiter, 'transfer-ticket', found.order.orderId);
  await consumeLimit(deps.rateLimiter, 'transfer-ticket-address', ip);
  await inTransaction(deps.db, async (tx) => {
    const event = await lockEventToTransfer(tx, found.order.eventId);
    const order = event && (await lockOrder(tx, found.order));
    // Read again under the lock: the link may have died meanwhile.
    const page = await pageOfLink({ ...deps, db: tx }, token);
    if (!event || order?.state !== 'paid' || !page) throw new AppError('checkout.unknown');
    const { eventId } = page.order;
    const ticketId = await ticketAt(tx, page, position);
    const ticket = ticketId === undefined ? undefined : await lockTicketToTransfer(tx, { eventId, ticketId });
    const fromAddress = ticket?.buyerEmail;
    if (!ticket || !ticketId || !fromAddress) throw new AppError('transfer.unknown-ticket');
    const denial = denyTransfer(ticket, event, event.now);
    if (denial) throw new AppError(`transfer.${denial}`);
    if (fromAddress.toLowerCase() === email.toLowerCase()) throw new AppError('transfer.same-address');

    await nameHolder(tx, page.order, { position, name });
    await transferTo(tx, { eventId, ticketId }, email, event.now);
    await recordAuditEvent(tx, {
      action: 'transfer-ticket',
      subject: ticketId,
      eventId,
      at: event.now,
      from: { ip, appSecret: deps.appSecret },
    });
    const about = { subjectId: ticketId, params: { eventId }, now: event.now };
    if (!isErased(fromAddress))
      await queueEmail(tx, {
        ...about,
        kind: 'ticket-transferred',
        version: ticket.transferredCount + 1,
        toAddress: fromAddress,
      });
    // A ticket that its holder never learns of would be lost.
    if (!(await queueLimitedEmail(tx, deps, { ...about, kind: 'ticket-transferred-to-you', toAddress: email })))
      throw new AppError('transfer.too-many-emails');
  });
}

async function ticketAt(
  tx: Db,
  { order, ticket }: NonNullable<Awaited<ReturnType<typeof pageOfLink>>>,
  position: number,
): Promise<string | undefined> {
  const tickets = await findOrderTickets(tx, order);
  return tickets.filter(isShownWith(ticket)).find((one) => one.position === position)?.id;
}

/** The name and the answers of the holder before are forgotten. */
async function nameHolder(
  tx: Db,
  { formVersion, ...order }: FoundOrder & OrderRef,
  { position, name }: { position: number; name: string },
): Promise<void> {
  const { eventId } = order;
  const asksNames = formVersion === null ? 'off' : (await askedForm(tx, { eventId, version: formVersion })).asksNames;
  if (asksNames === 'required' && name === '') throw new AppError('form.invalid', { field: 'name', reason: 'missing' });
  await replaceGuest(tx, order, { position, name: asksNames === 'off' ? null : name || null });
}
