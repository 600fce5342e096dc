import { ONE_STATEMENT, runOneStatement } from './harness/baseline-reservation.ts';
import { benchmark } from './harness/benchmark.ts';
import { CLIENTS, openReserving } from './harness/open-reserving.ts';

export const bench = benchmark({
  name: 'reserve-core',
  what: `${CLIENTS} clients in one process reserve 1 to 4 tickets of one type.`,
  metrics: [
    {
      target: { atLeast: 10 },
      baseline: ONE_STATEMENT,
      ratio: ({ subject, baseline }) => subject.perSecond / baseline.perSecond,
      value: ({ subject }) => subject.perSecond,
      unit: 'orders/s',
    },
  ],
  open: () => openReserving(runOneStatement),
});
