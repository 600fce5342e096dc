import { benchmark } from './harness/benchmark.ts';
import { CLIENTS, openReserving } from './harness/open-reserving.ts';
import { ONE_STATEMENT, runOneStatement } from './harness/plain-reservation.ts';

export const bench = benchmark({
  name: 'reserve-core',
  what: `${CLIENTS} clients in one process reserve 1 to 4 tickets of one type.`,
  metrics: [
    {
      target: { atLeast: 10 },
      baseline: ONE_STATEMENT,
      ratio: ({ subject, plain }) => subject.perSecond / plain.perSecond,
      value: ({ subject }) => subject.perSecond,
      unit: 'orders/s',
    },
  ],
  open: () => openReserving(runOneStatement),
});
