/** Check-ins long before the start. They end refunds, so the buyer is asked, and an operator decides about an objection. */
import { EARLY_CHECK_IN_HOURS } from './limits.ts';
import type { TicketState } from './tickets.ts';

/** So many early check-ins of one event become an action item, whether or not a buyer objects. */
export const EARLY_CHECK_INS_REPORTED = 5;

const HOUR = 60 * 60 * 1000;

export const isEarlyCheckIn = (scannedAt: Date, startsAt: Date): boolean =>
  scannedAt.getTime() < startsAt.getTime() - EARLY_CHECK_IN_HOURS * HOUR;

/** `undone-at-door`: undone by the device within seconds. `undone` and `kept`: decided by an operator. */
export type EarlyCheckInOutcome = 'undone-at-door' | 'undone' | 'kept';

export interface EarlyCheckIn {
  outcome: EarlyCheckInOutcome | null;
  objectedAt: Date | null;
  ticketState: TicketState;
  cancelledAt: Date | null;
  payoutRequestedAt: Date | null;
}

/** `closed`: the ticket or its event has moved on, so there is nothing to object to. */
export const EARLY_CHECK_IN_STATES = ['checked-in', 'objected', 'undone-at-door', 'undone', 'kept', 'closed'] as const;

export type EarlyCheckInState = (typeof EARLY_CHECK_IN_STATES)[number];

export function earlyCheckInState(checkIn: EarlyCheckIn): EarlyCheckInState {
  const { outcome, objectedAt, ticketState, cancelledAt, payoutRequestedAt } = checkIn;
  if (cancelledAt || payoutRequestedAt) return 'closed';
  if (outcome === 'kept') return ticketState === 'scanned' ? 'kept' : 'closed';
  if (outcome !== null) return ticketState === 'valid' ? outcome : 'closed';
  if (ticketState !== 'scanned') return 'closed';
  return objectedAt ? 'objected' : 'checked-in';
}

export type ObjectionDenial = 'not-checked-in' | 'decided' | 'closed';

/** Repeating an objection is fine. */
export function denyObjection(checkIn: EarlyCheckIn): ObjectionDenial | null {
  const denials: Record<EarlyCheckInState, ObjectionDenial | null> = {
    'checked-in': null,
    objected: null,
    'undone-at-door': 'not-checked-in',
    undone: 'not-checked-in',
    kept: 'decided',
    closed: 'closed',
  };
  return denials[earlyCheckInState(checkIn)];
}
