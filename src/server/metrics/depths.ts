/** How much waits where. Whoever keeps others waiting counts them here, under a name of its own. */
import type { Sample } from './sample.ts';

export interface Depth {
  waiting: number;
}

const depths = new Map<string, Depth>();

export function depthOf(name: string): Depth {
  const known = depths.get(name) ?? { waiting: 0 };
  depths.set(name, known);
  return known;
}

export function depthSamples(): Sample[] {
  return [...depths].map(([lane, { waiting }]) => ({
    kind: 'handstamp_lane_waiting',
    labels: { lane },
    value: waiting,
  }));
}
