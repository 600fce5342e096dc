/** The kinds of objects in `sandbox.objects`, with their API object and private state. */

import type { Account, AccountInside } from './account.ts';
import type { Charge, ChargeInside } from './charge.ts';
import type { CheckoutSession, SessionInside } from './checkout-session.ts';
import type { Dispute } from './dispute.ts';
import type { EarlyFraudWarning } from './early-fraud-warning.ts';
import type { File, FileInside } from './file.ts';
import type { IntentInside, PaymentIntent } from './payment-intent.ts';
import type { Payout, PayoutInside } from './payout.ts';
import type { Refund, RefundInside } from './refund.ts';
import type { Transfer, TransferReversal } from './transfer.ts';
import type { EndpointInside, EventDestination, WebhookEndpoint } from './webhook-endpoint.ts';

type Empty = Record<string, never>;

export interface Kinds {
  'checkout.session': { body: CheckoutSession; inside: SessionInside };
  payment_intent: { body: PaymentIntent; inside: IntentInside };
  charge: { body: Charge; inside: ChargeInside };
  dispute: { body: Dispute; inside: Empty };
  'radar.early_fraud_warning': { body: EarlyFraudWarning; inside: Empty };
  file: { body: File; inside: FileInside };
  refund: { body: Refund; inside: RefundInside };
  transfer: { body: Transfer; inside: Empty };
  transfer_reversal: { body: TransferReversal; inside: Empty };
  payout: { body: Payout; inside: PayoutInside };
  'v2.core.account': { body: Account; inside: AccountInside };
  'v2.core.event_destination': { body: EventDestination; inside: EndpointInside };
  webhook_endpoint: { body: WebhookEndpoint; inside: EndpointInside };
}

export type Kind = keyof Kinds;
