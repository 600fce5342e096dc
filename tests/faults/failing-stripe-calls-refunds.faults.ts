import { cancelling, payout, refund } from './matrix/capabilities.ts';
import { describeCalls } from './matrix/describe-matrix.ts';

describeCalls([refund, cancelling, payout]);
