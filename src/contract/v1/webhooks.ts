/** What is sent to webhook endpoints. */
import * as z from 'zod/mini';
import type { DeliveredType } from '#domain/accounts/webhooks.ts';
import { event } from './events.ts';
import { order } from './orders.ts';
import { payout } from './payouts.ts';
import { refund } from './refunds.ts';
import { ticket } from './tickets.ts';
import { resource } from './v1-call.ts';

const test = resource('WebhookTest', z.object({ endpoint_id: z.string() }));

/** `data` of each type, as it is when it is sent. */
export const webhookData = {
  'order.paid': order,
  'order.unfulfillable': order,
  'refund.sent': refund,
  'ticket.checked_in': ticket,
  'ticket.check_in_undone': ticket,
  'ticket.transferred': ticket,
  'event.published': event,
  'event.updated': event,
  'event.cancelled': event,
  'payout.paid': payout,
  'webhook.test': test,
} as const satisfies Record<DeliveredType, z.ZodMiniType>;

export type WebhookData = z.infer<(typeof webhookData)[DeliveredType]>;
