import { BATCHES_OF_64, runBatchesOf64 } from './harness/baseline-reservation.ts';
import { benchmark } from './harness/benchmark.ts';
import { CLIENTS, openReserving } from './harness/open-reserving.ts';

export const bench = benchmark({
  name: 'reserve-core-limit',
  what: `${CLIENTS} clients in one process reserve 1 to 4 tickets of one type, against the limit of the tables.`,
  metrics: [
    {
      target: { atLeast: 0.6 },
      baseline: BATCHES_OF_64,
      ratio: ({ subject, baseline }) => subject.perSecond / baseline.perSecond,
      value: ({ subject }) => subject.perSecond,
      unit: 'orders/s',
    },
  ],
  open: () => openReserving(runBatchesOf64),
});
