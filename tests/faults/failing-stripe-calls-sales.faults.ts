import { webhookFaults } from '#sandbox/faults.ts';
import { abandonedCart, cancelling, payout, refund, sale } from './matrix/capabilities.ts';
import { describeCalls, describeWebhooks } from './matrix/describe-matrix.ts';

describeCalls([sale, abandonedCart]);
describeWebhooks([sale, abandonedCart, refund, cancelling, payout], webhookFaults);
