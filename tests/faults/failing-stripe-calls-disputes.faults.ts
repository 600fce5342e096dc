import { webhookFaults } from '#sandbox/faults.ts';
import { dashboardRefund, disputeAfterPayout, unheardSale, wonDispute } from './matrix/capabilities-outside.ts';
import { describeCalls, describeWebhooks } from './matrix/describe-matrix.ts';

const capabilities = [disputeAfterPayout, wonDispute, dashboardRefund, unheardSale];

describeCalls(capabilities);
describeWebhooks(capabilities, webhookFaults);
