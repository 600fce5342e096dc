/** Decides a check on this device, from its offline ticket list and its own admissions. */
import { type ListState } from '#contract/app/check-in-devices.ts';
import { checkInErrors } from '#messages/check-in.ts';
import { admittedOffline, alreadyScannedOffline, notOnList } from '#messages/check-in-offline.ts';
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
    | Extract<ResultKind, 'admitted-offline' | 'not-on-list' | 'already-in' | 'event-cancelled' | 'unknown'>
    | InvalidState;
  ticket: Candidate | null;
}
type InvalidState = Exclude<ListState, 'valid' | 'scanned'>;

/** Several tickets can share a hash. A valid one is admitted; otherwise the first state in this order gives the reason. */
const precedence: readonly ListState[] = ['scanned', 'disputed', 'refunding', 'refunded', 'void'];

export function decideOffline(candidates: readonly Candidate[], isEventCancelled: boolean): Decision {
  if (candidates.length === 0) return { kind: 'not-on-list', ticket: null };
  if (isEventCancelled) return { kind: 'event-cancelled', ticket: null };

  const current = candidates.map((one) => (one.isNewerThanList ? { ...one, state: 'scanned' as const } : one));
  const valid = current.find(({ state }) => state === 'valid');
  if (valid) return { kind: 'admitted-offline', ticket: valid };

  const [ticket = null] = current.sort((a, b) => precedence.indexOf(a.state) - precedence.indexOf(b.state));
  if (!ticket || ticket.state === 'valid') return { kind: 'not-on-list', ticket: null };
  return { kind: ticket.state === 'scanned' ? 'already-in' : ticket.state, ticket };
}

/** For a ticket that this device admitted and has not synced. */
export function alreadyCheckedInHere(key: number, at: number): Decision {
  const ticket = { key, ticketType: -1, state: 'scanned' as const, admittedHereAt: at, isNewerThanList: true };
  return { kind: 'already-in', ticket };
}

export interface ListInfo {
  ticketTypes: readonly string[];
  timezone: string;
  /** When the list was read, by the server's clock. */
  from: number;
  device: { name: string };
}

export function messageFor({ kind, ticket }: Decision, list: ListInfo): string {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: list.timezone, timeStyle: 'short' });
  switch (kind) {
    case 'admitted-offline':
      return admittedOffline(list.ticketTypes[ticket?.ticketType ?? -1] ?? '');
    case 'not-on-list':
      return notOnList(clock.format(list.from));
    case 'unknown':
      return checkInErrors['check-in.unknown-ticket'];
    case 'already-in': {
      const at = ticket?.admittedHereAt ?? null;
      if (at === null) return alreadyScannedOffline;
      return checkInErrors['check-in.already-in']({ time: clock.format(at), device: list.device.name });
    }
    case 'disputed':
    case 'event-cancelled':
    case 'refunded':
    case 'refunding':
    case 'void':
      return checkInErrors[`check-in.${kind}`];
  }
}
