import { describeHistories } from './histories/batches.ts';

describeHistories(0);
