/** Every kind of object that is kept in `sandbox.objects`: its wire form, and what is kept beside it. */

import type { Account, AccountInside } from './account.ts';
import type { Charge, ChargeInside } from './charge.ts';
import type { CheckoutSession, SessionInside } from './checkout-session.ts';
import type { PaymentIntent } from './payment-intent.ts';
import type { Payout } from './payout.ts';
import type { Refund, RefundInside } from './refund.ts';
import type { Transfer, TransferReversal } from './transfer.ts';
import type { EndpointInside, WebhookEndpoint } from './webhook-endpoint.ts';

type Nothing = Record<string, never>;

export interface Kinds {
  'checkout.session': { body: CheckoutSession; inside: SessionInside };
  payment_intent: { body: PaymentIntent; inside: Nothing };
  charge: { body: Charge; inside: ChargeInside };
  refund: { body: Refund; inside: RefundInside };
  transfer: { body: Transfer; inside: Nothing };
  transfer_reversal: { body: TransferReversal; inside: Nothing };
  payout: { body: Payout; inside: Nothing };
  'v2.core.account': { body: Account; inside: AccountInside };
  webhook_endpoint: { body: WebhookEndpoint; inside: EndpointInside };
}

export type Kind = keyof Kinds;
