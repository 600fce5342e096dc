import type { WebhookData } from '#contract/v1/webhooks.ts';
import { orderOf, reachedEvent, ticketOf } from '#server/backoffice/api/api.sql.ts';
import { payoutOf, refundOf } from '#server/backoffice/api/money.sql.ts';
import { eventReplies, type Sites } from '#server/backoffice/api/read-events.ts';
import { payoutReply, refundReply } from '#server/backoffice/api/read-money.ts';
import { orderReplies, ticketReply } from '#server/backoffice/api/read-orders.ts';
import type { ClaimedDelivery } from './deliveries.sql.ts';

/** What is sent: the object as it is now. It is stored nowhere, so that nothing has to be erased. Null once the object is gone. */
export async function webhookBody(deps: Sites, delivery: ClaimedDelivery): Promise<string | null> {
  const { type, occurredAt } = delivery;
  const data = await dataOf(deps, delivery);
  return data && JSON.stringify({ type, timestamp: occurredAt.toISOString(), data });
}

async function dataOf(
  deps: Sites,
  { type, eventId, objectId, endpointId, organizationId }: ClaimedDelivery,
): Promise<WebhookData | null> {
  const { db } = deps;
  if (eventId === null) return { endpoint_id: endpointId };
  switch (type) {
    case 'order.paid':
    case 'order.unfulfillable': {
      const order = await orderOf(db, [eventId], objectId);
      return order ? ((await orderReplies(deps, [order]))[0] ?? null) : null;
    }
    case 'ticket.checked_in':
    case 'ticket.check_in_undone':
    case 'ticket.transferred': {
      const ticket = await ticketOf(db, [eventId], objectId);
      return ticket ? ticketReply(ticket) : null;
    }
    case 'event.published':
    case 'event.updated':
    case 'event.cancelled': {
      const event = await reachedEvent(db, { organizationId, onlyEventIds: null }, eventId);
      return event ? ((await eventReplies(deps, [event]))[0] ?? null) : null;
    }
    case 'refund.sent': {
      const refund = await refundOf(db, eventId, objectId);
      return refund ? refundReply(refund) : null;
    }
    case 'payout.paid': {
      const payout = await payoutOf(db, eventId, objectId);
      return payout ? payoutReply(payout) : null;
    }
    case 'webhook.test':
      return { endpoint_id: endpointId };
  }
}
