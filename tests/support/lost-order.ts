/** An order that Stripe knows and the database doesn't. */
import { sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import { findOrderBySession } from '#server/orders/core/orders.sql.ts';
import { clearFaults, paymentOf, planFault } from './money.ts';
import { eventOnSale, generalAdmission, openCheckout } from './people.ts';
import type { TestApp } from './test-app.ts';

/** Pays for tickets of the first type, and loses everything about it: no webhook arrives, and the order's rows are gone. */
export async function loseOrder(app: TestApp, email: string, { quantity = 2, stock = 20 } = {}) {
  const { eventId } = await eventOnSale(app, {
    tickets: [
      { ticketName: 'General admission', ticketDescription: 'Standing', ticketPrice: 24, ticketQuantity: stock },
    ],
  });
  const checkout = await openCheckout(app, eventId, generalAdmission(quantity));
  const order = await findOrderBySession(app.db, checkout.sessionId);
  if (!order) throw new Error('a checkout without an order');
  await withoutWebhooks(app, () => checkout.pay(email));
  const paymentId = await paymentOf(app, eventId);
  await forget(app, order);
  return { eventId, orderId: order.orderId, sessionId: checkout.sessionId, paymentId };
}

export async function withoutWebhooks(app: TestApp, work: () => Promise<unknown>) {
  await planFault(app, { webhook: 'drop', times: 1000 });
  await work();
  await app.settle();
  await clearFaults(app);
}

async function forget({ db }: TestApp, { eventId, orderId }: OrderRef) {
  await sql`
    with lines as (delete from order_lines where event_id = ${eventId} and order_id = ${orderId} returning ticket_type_id, quantity),
         gone as (delete from orders where event_id = ${eventId} and id = ${orderId})
    update ticket_types t set reserved = t.reserved - l.quantity from lines l
     where t.event_id = ${eventId} and t.id = l.ticket_type_id`.execute(db);
}
