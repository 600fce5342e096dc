/** Which of the offered time zones the clocks of a state keep. Some states are cut in two; three keep their own time. */
import type { Timezone } from '#contract/timezones.ts';

const EASTERN = 'America/New_York';
const CENTRAL = 'America/Chicago';
const MOUNTAIN = 'America/Denver';
const PACIFIC = 'America/Los_Angeles';

/** The zone of most people comes first. A state that is absent lies wholly in the eastern zone. */
// biome-ignore format: one line per kind of state
const zonesByState: Record<string, readonly Timezone[]> = {
  AL: [CENTRAL], AR: [CENTRAL], IA: [CENTRAL], IL: [CENTRAL], LA: [CENTRAL], MN: [CENTRAL],
  MO: [CENTRAL], MS: [CENTRAL], OK: [CENTRAL], WI: [CENTRAL],
  KS: [CENTRAL, MOUNTAIN], ND: [CENTRAL, MOUNTAIN], NE: [CENTRAL, MOUNTAIN], SD: [CENTRAL, MOUNTAIN],
  TX: [CENTRAL, MOUNTAIN], TN: [CENTRAL, EASTERN],
  FL: [EASTERN, CENTRAL], IN: [EASTERN, CENTRAL], KY: [EASTERN, CENTRAL], MI: [EASTERN, CENTRAL],
  CO: [MOUNTAIN], MT: [MOUNTAIN], NM: [MOUNTAIN], UT: [MOUNTAIN], WY: [MOUNTAIN], ID: [MOUNTAIN, PACIFIC],
  CA: [PACIFIC], WA: [PACIFIC], NV: [PACIFIC, MOUNTAIN], OR: [PACIFIC, MOUNTAIN],
  AZ: [], AK: [], HI: [],
};

const zoneNames: Record<Timezone, string> = {
  [EASTERN]: 'Eastern',
  [CENTRAL]: 'Central',
  [MOUNTAIN]: 'Mountain',
  [PACIFIC]: 'Pacific',
};

export function zonesOf(state: string): readonly Timezone[] {
  return zonesByState[state] ?? [EASTERN];
}

/** What to tell somebody who picked a zone that the state does not keep; `null` where they agree. */
export function zoneDoubt(state: string, timezone: Timezone): string | null {
  const zones = zonesOf(state);
  if (!state || zones.includes(timezone)) return null;
  if (zones.length === 0)
    return `${state} keeps its own time. Enter the start and end as a clock in the ${zoneNames[timezone]} zone shows them.`;
  const names = zones.map((zone) => zoneNames[zone]).join(' or ');
  return `${state} keeps ${names} time, and you picked ${zoneNames[timezone]}. Is that right?`;
}
