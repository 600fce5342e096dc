/** All operations of the API. Any other URL gets Stripe's error for an unrecognized URL. */

import type { Route } from './route.ts';
import { accountLinkRoutes } from './routes/account-links.ts';
import { accountRoutes } from './routes/accounts.ts';
import { balanceRoutes } from './routes/balance.ts';
import { chargeRoutes } from './routes/charges.ts';
import { checkoutSessionRoutes } from './routes/checkout-sessions.ts';
import { disputeRoutes } from './routes/disputes.ts';
import { earlyFraudWarningRoutes } from './routes/early-fraud-warnings.ts';
import { eventRoutes } from './routes/events.ts';
import { fileRoutes } from './routes/files.ts';
import { paymentIntentRoutes } from './routes/payment-intents.ts';
import { payoutRoutes } from './routes/payouts.ts';
import { refundRoutes } from './routes/refunds.ts';
import { transferRoutes } from './routes/transfers.ts';
import { webhookEndpointRoutes } from './routes/webhook-endpoints.ts';

export const routes: readonly Route[] = [
  ...checkoutSessionRoutes,
  ...paymentIntentRoutes,
  ...chargeRoutes,
  ...refundRoutes,
  ...disputeRoutes,
  ...fileRoutes,
  ...earlyFraudWarningRoutes,
  ...transferRoutes,
  ...balanceRoutes,
  ...payoutRoutes,
  ...eventRoutes,
  ...webhookEndpointRoutes,
  ...accountRoutes,
  ...accountLinkRoutes,
];
