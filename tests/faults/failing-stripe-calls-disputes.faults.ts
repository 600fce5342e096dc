import { webhookFaults } from '#sandbox/faults.ts';
import { dashboardRefund, disputeAfterPayout, saleWithoutWebhook, wonDispute } from './matrix/capabilities-outside.ts';
import { describeCalls, describeWebhooks } from './matrix/describe-matrix.ts';

const capabilities = [disputeAfterPayout, wonDispute, dashboardRefund, saleWithoutWebhook];

describeCalls(capabilities);
describeWebhooks(capabilities, webhookFaults);
