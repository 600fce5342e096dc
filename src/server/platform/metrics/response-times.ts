/** A histogram of response times. Every response is recorded, so it does no more than count: prom-client takes several times as long. */
import { type Measurement, measure } from './measurement.ts';

export interface TimedResponse {
  method: string;
  /** The pattern, because an address can contain secrets. */
  route: string;
  status: number;
  seconds: number;
}

export interface ResponseTimes {
  record(response: TimedResponse): void;
  read(): Measurement;
}

const BOUNDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10, Number.POSITIVE_INFINITY];
const METRIC = 'handstamp_http_request_duration_seconds';

interface Tally {
  labels: { method: string; route: string; status: string };
  /** Of each bucket alone. */
  counts: number[];
  sum: number;
}

type Statuses = Map<number, Tally>;
type Methods = Map<string, Statuses>;

export function openResponseTimes(): ResponseTimes {
  const routes = new Map<string, Methods>();

  function tallyOf({ method, route, status }: TimedResponse): Tally {
    const methods = getOrInsert(routes, route, (): Methods => new Map());
    const statuses = getOrInsert(methods, method, (): Statuses => new Map());
    const labels = { method, route, status: String(status) };
    return getOrInsert(statuses, status, () => ({ labels, counts: BOUNDS.map(() => 0), sum: 0 }));
  }

  return {
    record(response) {
      const tally = routes.get(response.route)?.get(response.method)?.get(response.status) ?? tallyOf(response);
      let bucket = 0;
      while (response.seconds > (BOUNDS[bucket] ?? 0)) bucket++;
      tally.counts[bucket] = (tally.counts[bucket] ?? 0) + 1;
      tally.sum += response.seconds;
    },
    read() {
      const tallies = [...routes.values()].flatMap((methods) =>
        [...methods.values()].flatMap((each) => [...each.values()]),
      );
      return { ...measure(METRIC, []), values: tallies.flatMap(valuesOf) };
    },
  };
}

function valuesOf({ labels, counts, sum }: Tally): Measurement['values'] {
  let total = 0;
  const buckets = BOUNDS.map((bound, index) => {
    total += counts[index] ?? 0;
    const le = Number.isFinite(bound) ? bound : '+Inf';
    return { metricName: `${METRIC}_bucket`, labels: { ...labels, le }, value: total };
  });
  return [
    ...buckets,
    { metricName: `${METRIC}_sum`, labels, value: sum },
    { metricName: `${METRIC}_count`, labels, value: total },
  ];
}

function getOrInsert<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
