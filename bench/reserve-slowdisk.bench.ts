import { ONE_STATEMENT, runOneStatement } from './harness/baseline-reservation.ts';
import { benchmark } from './harness/benchmark.ts';
import { CLIENTS, openReserving } from './harness/open-reserving.ts';

export const bench = benchmark({
  name: 'reserve-slowdisk',
  what: `${CLIENTS} clients reserve 1 to 4 tickets of one type, where each commit takes at least one millisecond.`,
  metrics: [
    {
      target: { atLeast: 25 },
      baseline: ONE_STATEMENT,
      ratio: ({ subject, baseline }) => subject.perSecond / baseline.perSecond,
      value: ({ subject }) => subject.perSecond,
      unit: 'orders/s',
    },
  ],
  open: () => openReserving(runOneStatement, { database: { commit_delay: '1000', commit_siblings: '0' } }),
});
