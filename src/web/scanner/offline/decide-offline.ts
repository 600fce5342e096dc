/** Decides a check on this device, from its offline ticket list and its own admissions. */
import { type ListState } from '#contract/app/check-in-devices.ts';
import { type ClosedDenial, denyByHours } from '#domain/check-in-hours.ts';
import { checkInErrors } from '#messages/check-in.ts';
import {
  admittedOffline,
  alreadyHandedOutOffline,
  alreadyScannedOffline,
  handOutOffline,
  notOnList,
} from '#messages/check-in-offline.ts';
import { dayAndTime } from '#messages/format.ts';
import type { ResultKind } from '../check-in/check-in-result.ts';

export interface Candidate {
  key: number;
  ticketType: number;
  state: ListState;
  /** When this device admitted the ticket, by the server's clock as estimated here. */
  admittedHereAt: number | null;
  /** The list predates that admission, so its state for this ticket is outdated. */
  isNewerThanList: boolean;
}

export interface Decision {
  kind:
    | Extract<
        ResultKind,
        | 'admitted-offline'
        | 'handed-out-offline'
        | 'not-on-list'
        | 'already-in'
        | 'already-handed-out'
        | 'event-cancelled'
        | 'unknown'
      >
    | ClosedDenial
    | InvalidState;
  ticket: Candidate | null;
}
type InvalidState = Exclude<ListState, 'valid' | 'scanned'>;

/** Several tickets can share a hash. A valid one is admitted; otherwise the first state in this order gives the reason. */
const precedence: readonly ListState[] = ['scanned', 'disputed', 'refunding', 'refunded', 'void'];

/** What the list says about the event. */
export interface ListedEvent {
  isCancelled: boolean;
  /** In Unix milliseconds by the server's clock; null without check-in hours. */
  opensAt: number | null;
  closesAt: number | null;
  /** Indexes of ticket types that are handed out and don't admit. */
  addOns: readonly number[];
}

/** Whether the device has saved a scan with this decision. */
export const isOfflineScan = (kind: ResultKind): boolean =>
  kind === 'admitted-offline' || kind === 'handed-out-offline';

/** @param now by the server's clock, as estimated by this device */
export function decideOffline(candidates: readonly Candidate[], event: ListedEvent, now: number): Decision {
  if (candidates.length === 0) return { kind: 'not-on-list', ticket: null };
  if (event.isCancelled) return { kind: 'event-cancelled', ticket: null };
  const closed = denyByHours({ opensAt: instant(event.opensAt), closesAt: instant(event.closesAt) }, new Date(now));
  if (closed) return { kind: closed, ticket: null };

  const current = candidates.map((one) => (one.isNewerThanList ? { ...one, state: 'scanned' as const } : one));
  const valid = current.find(({ state }) => state === 'valid');
  const isAddOn = ({ ticketType }: Candidate) => event.addOns.includes(ticketType);
  if (valid) return { kind: isAddOn(valid) ? 'handed-out-offline' : 'admitted-offline', ticket: valid };

  const [ticket = null] = current.sort((a, b) => precedence.indexOf(a.state) - precedence.indexOf(b.state));
  if (!ticket || ticket.state === 'valid') return { kind: 'not-on-list', ticket: null };
  if (ticket.state !== 'scanned') return { kind: ticket.state, ticket };
  return { kind: isAddOn(ticket) ? 'already-handed-out' : 'already-in', ticket };
}

const instant = (ms: number | null) => (ms === null ? null : new Date(ms));

/** For a ticket that this device admitted and has not synced. */
export function alreadyCheckedInHere(scan: { ticketKey: number; at: number }, isAddOn: boolean): Decision {
  const { ticketKey: key, at } = scan;
  const ticket = { key, ticketType: -1, state: 'scanned' as const, admittedHereAt: at, isNewerThanList: true };
  return { kind: isAddOn ? 'already-handed-out' : 'already-in', ticket };
}

export interface ListInfo {
  ticketTypes: readonly string[];
  timezone: string;
  opensAt: number | null;
  closesAt: number | null;
  /** When the list was read, by the server's clock. */
  from: number;
  device: { name: string };
}

export function messageFor({ kind, ticket }: Decision, list: ListInfo): string {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: list.timezone, timeStyle: 'short' });
  switch (kind) {
    case 'admitted-offline':
      return admittedOffline(list.ticketTypes[ticket?.ticketType ?? -1] ?? '');
    case 'handed-out-offline':
      return handOutOffline(list.ticketTypes[ticket?.ticketType ?? -1] ?? '');
    case 'not-on-list':
      return notOnList(clock.format(list.from));
    case 'unknown':
      return checkInErrors['check-in.unknown-ticket'];
    case 'already-in':
    case 'already-handed-out': {
      const at = ticket?.admittedHereAt ?? null;
      if (at === null) return kind === 'already-in' ? alreadyScannedOffline : alreadyHandedOutOffline;
      return checkInErrors[`check-in.${kind}`]({ time: clock.format(at), device: list.device.name });
    }
    case 'not-open':
      return checkInErrors['check-in.not-open']({ opens: dayAndTime(list.opensAt ?? list.from, list.timezone) });
    case 'closed':
      return checkInErrors['check-in.closed']({ closed: dayAndTime(list.closesAt ?? list.from, list.timezone) });
    case 'disputed':
    case 'event-cancelled':
    case 'refunded':
    case 'refunding':
    case 'void':
      return checkInErrors[`check-in.${kind}`];
  }
}
