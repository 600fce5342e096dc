/** Maps states to the four US time zones. Some states have two; AK, AZ and HI have none of them. */
import { type Timezone, timezones } from '#contract/forms/timezones.ts';
import { localTimeOf } from '#domain/local-time.ts';

const EASTERN = 'America/New_York';
const CENTRAL = 'America/Chicago';
const MOUNTAIN = 'America/Denver';
const PACIFIC = 'America/Los_Angeles';

/** Most populous zone first. States not listed are entirely Eastern. */
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

interface Venue {
  state: string;
  /** Time zone at the pin, if known. Not necessarily one of the four that the form offers. */
  pinZone: string | null;
}

/** A warning if the chosen time zone shows a different local time than the venue; `null` if they agree. */
export function timezoneWarning({ state, pinZone }: Venue, timezone: Timezone, at: Date): string | null {
  const zones = zonesOf(state);
  if (zones.length === 0) return ownTime(state, timezone);
  if (pinZone) {
    if (isSameClock(pinZone, timezone, at)) return null;
    const zone = timezones.find((offered) => isSameClock(pinZone, offered, at));
    return zone ? otherTime('The pin', [zone], timezone) : ownTime('The pin', timezone);
  }
  return !state || zones.includes(timezone) ? null : otherTime(state, zones, timezone);
}

const ownTime = (venue: string, picked: Timezone) =>
  `${venue} isn't in any of these four time zones. Enter the start and end in ${zoneNames[picked]} Time.`;

const otherTime = (venue: string, zones: readonly Timezone[], picked: Timezone) =>
  `${venue} is on ${zones.map((zone) => zoneNames[zone]).join(' or ')} Time, but you picked ${zoneNames[picked]}. Is that right?`;

const isSameClock = (one: string, other: string, at: Date) => localTimeOf(at, one) === localTimeOf(at, other);
