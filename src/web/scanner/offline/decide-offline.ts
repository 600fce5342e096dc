/** What this device finds alone, by its list and by whom it has let in itself. */
import { admissionRefusals, alreadyScanned } from '#contract/admission.ts';
import { admittedOffline, alreadyInByList, type ListState, notOnList } from '#contract/door.ts';
import type { ResultKind } from '../check-in/check-in-result.ts';

export interface Candidate {
  key: number;
  ticketType: number;
  state: ListState;
  /** When this device let this ticket in, as far as it knows, by the server's clock. */
  admittedHereAt: number | null;
  /** Whether the list is older than that, so that its state does not count. */
  isAheadOfList: boolean;
}

export interface Verdict {
  kind:
    | Extract<ResultKind, 'admitted-offline' | 'not-on-list' | 'already-in' | 'event-cancelled' | 'unknown'>
    | NotGood;
  /** Which ticket it was. */
  ticket: Candidate | null;
}
type NotGood = Exclude<ListState, 'valid' | 'scanned'>;

/** Of tickets that share a hash, whichever is still valid is let in; else the first of these says why not. */
const telling: readonly ListState[] = ['scanned', 'disputed', 'refunding', 'refunded', 'void'];

export function decide(candidates: readonly Candidate[], isEventCancelled: boolean): Verdict {
  if (candidates.length === 0) return { kind: 'not-on-list', ticket: null };
  if (isEventCancelled) return { kind: 'event-cancelled', ticket: null };

  const asTheyStand = candidates.map((one) => (one.isAheadOfList ? { ...one, state: 'scanned' as const } : one));
  const valid = asTheyStand.find(({ state }) => state === 'valid');
  if (valid) return { kind: 'admitted-offline', ticket: valid };

  const [ticket = null] = asTheyStand.sort((a, b) => telling.indexOf(a.state) - telling.indexOf(b.state));
  if (!ticket || ticket.state === 'valid') return { kind: 'not-on-list', ticket: null };
  return { kind: ticket.state === 'scanned' ? 'already-in' : ticket.state, ticket };
}

/** This device has let them in, and the server does not know it yet. */
export function alreadyInHere(key: number, at: number): Verdict {
  const ticket = { key, ticketType: -1, state: 'scanned' as const, admittedHereAt: at, isAheadOfList: true };
  return { kind: 'already-in', ticket };
}

export interface ListFacts {
  ticketTypes: readonly string[];
  timezone: string;
  /** Of when the list is, by the server's clock. */
  from: number;
  device: { name: string };
}

export function wordsFor({ kind, ticket }: Verdict, list: ListFacts): string {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: list.timezone, timeStyle: 'short' });
  if (kind === 'admitted-offline') return admittedOffline(list.ticketTypes[ticket?.ticketType ?? -1] ?? '');
  if (kind === 'not-on-list') return notOnList(clock.format(list.from));
  if (kind === 'unknown') return admissionRefusals['unknown-ticket'];
  if (kind !== 'already-in') return admissionRefusals[kind];
  const at = ticket?.admittedHereAt ?? null;
  return at === null ? alreadyInByList : alreadyScanned(clock.format(at), list.device.name);
}
