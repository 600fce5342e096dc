/** The buyer says who uses which ticket, from the order's page. */
import type { nameTickets as endpoint } from '#contract/app/sales/order-names.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { areNamesOpen } from '#domain/sales/guest-form.ts';
import { askedForm } from '#server/events/guest-form/asked-form.ts';
import { findOrderTickets, lockOrder } from '#server/orders/core/orders.sql.ts';
import { orderOfLink } from '#server/orders/find-by-link.ts';
import { orderOfToken } from '#server/orders/order-link.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { saveName } from './order-guests.sql.ts';

export async function nameTickets(
  { db, clock, appSecret, rateLimiter }: Pick<Deps, 'db' | 'clock' | 'appSecret' | 'rateLimiter'>,
  { token, names }: InputOf<typeof endpoint>,
): Promise<void> {
  const ref = orderOfToken({ appSecret }, token);
  if (!ref) throw new AppError('checkout.unknown');
  await consumeLimit(rateLimiter, 'order-details', ref.orderId);
  await inTransaction(db, async (tx) => {
    const order = await orderOfLink({ db: tx, appSecret }, token);
    if (!order || (await lockOrder(tx, ref))?.state !== 'paid') throw new AppError('checkout.unknown');
    const { eventId, formVersion } = order;
    const asksNames = formVersion === null ? 'off' : (await askedForm(tx, { eventId, version: formVersion })).asksNames;
    if (asksNames === 'off') throw new AppError('names.not-asked');
    if (!areNamesOpen(order, clock.now())) throw new AppError('names.closed');
    const tickets = await findOrderTickets(tx, ref);
    for (const { position, name } of names) {
      const ticket = tickets.find((one) => one.position === position);
      // A transferred one is named by its holder.
      if (!ticket || ticket.isAddOn || ticket.transferredCount > 0) throw new AppError('names.unknown-ticket');
      if (name === '' && asksNames === 'required')
        throw new AppError('form.invalid', { field: `tickets.${position - 1}.name`, reason: 'guest-name.missing' });
      await saveName(tx, ref, { position, name: name || null });
    }
  });
}
