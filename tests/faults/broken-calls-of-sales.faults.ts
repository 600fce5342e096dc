import { webhookFaults } from '#sandbox/faults.ts';
import { abandonedCart, cancelling, payout, refund, sale } from './matrix/capabilities.ts';
import { describeCalls, describeNotices } from './matrix/describe-matrix.ts';

describeCalls([sale, abandonedCart]);
describeNotices([sale, abandonedCart, refund, cancelling, payout], webhookFaults);
