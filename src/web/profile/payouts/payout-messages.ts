/** Timeline and messages of an event's payout. */

import type { OrganizerEvent } from '#contract/app/events.ts';
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';
import { DAYS, plural } from '#messages/format.ts';
import { firstPayoutDelayed, payoutErrors } from '#messages/payouts.ts';
import {
  endedWithoutSales,
  hasEnded,
  isPayoutRequested,
  payoutDenial,
  salesStartNote,
} from '#web/profile/events/event-totals.ts';
import { formatShort } from '#web/ui/data/format.ts';

type PayoutState = OrganizerEvent['payout']['state'];
export type AdditionalPayout = OrganizerEvent['payout']['further'][number];

const MINUTE = 60_000;

interface PayoutStep {
  label: string;
  note: string | undefined;
  is: 'done' | 'next' | 'ahead';
}

/** Scheduled, on sale, ended, 24 hours later, requested, paid. The first step that isn't done is the current one. */
export function payoutSteps(event: OrganizerEvent, now: Date): PayoutStep[] {
  const { state, opensAt, paidAt } = event.payout;
  const moment = (instant: string) => formatShort(instant, event.timezone);
  const isRequested = isPayoutRequested(event);
  const isOpen =
    isRequested ||
    state === 'open' ||
    state === 'objections-open' ||
    (state === 'nothing-to-pay' && now >= new Date(opensAt));
  const isOver = isOpen || hasEnded(event, now);

  const salesStart = isOver ? null : salesStartNote(event, now);

  const steps = [
    { label: salesStart ? 'Scheduled' : 'On sale', isDone: isOver, note: salesStart ?? undefined },
    { label: 'Ended', isDone: isOver, note: moment(event.endDate_endTime) },
    {
      label: `${SETTLEMENT_HOLD_HOURS} hours later`,
      isDone: isOpen,
      note: isOpen ? moment(opensAt) : `${moment(opensAt)}, ${countdown(new Date(opensAt), now)}`,
    },
    { label: 'Requested', isDone: isRequested },
    { label: 'Paid', isDone: state === 'paid', note: paidAt ? moment(paidAt) : undefined },
  ];
  const next = steps.findIndex((step) => !step.isDone);
  return steps.map(({ label, isDone, note }, index) => ({
    label,
    note,
    is: isDone ? 'done' : index === next ? 'next' : 'ahead',
  }));
}

/** `in 3 days 4 hr`, `in 5 hr 12 min` or `in 12 min`. */
export function countdown(until: Date, now: Date): string {
  const minutes = Math.ceil((until.getTime() - now.getTime()) / MINUTE);
  if (minutes <= 0) return 'any moment now';
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  if (days > 0) return `in ${plural(days, DAYS)}${hours > 0 ? ` ${hours} hr` : ''}`;
  return `in ${[hours > 0 && `${hours} hr`, rest > 0 && `${rest} min`].filter(Boolean).join(' ')}`;
}

export function payoutNote(event: OrganizerEvent, now: Date): string {
  const { state, denial: code, statement } = event.payout;
  const denial = payoutDenial(event);
  if (denial) return denial;
  if (endedWithoutSales(event, now)) return payoutErrors['payout.nothing-sold'];
  const held = heldNote(event, event.payout);
  if (held) return held;
  const reason = code ? payoutErrors[`payout.${code}`] : '';
  const notes: Record<PayoutState, string> = {
    'too-early': reason,
    'nothing-to-pay': reason,
    'objections-open': reason,
    cancelled: reason,
    open: 'Your payout is ready.',
    requested: sendsLater(event, now) ?? 'Your payout is on its way.',
    'awaiting-funds': "On its way. Stripe is still clearing the money; we'll send it automatically.",
    'awaiting-account': `You requested the payout. ${accountWaits}`,
    paid:
      !statement || statement.net > 0
        ? 'We sent your payout to your Stripe account.'
        : 'This payout covered what you owed.',
  };
  return notes[state];
}

function sendsLater({ payout: { sendsAt }, timezone }: OrganizerEvent, now: Date): string | null {
  return sendsAt && now < new Date(sendsAt) ? firstPayoutDelayed(sendsAt, timezone) : null;
}

/** Null unless an operator keeps this payout of the event. */
export const heldNote = ({ payout: { hold } }: OrganizerEvent, { state }: { state: PayoutState }): string | null =>
  hold && state !== 'paid' ? payoutErrors['payout.on-hold'](hold) : null;

const accountWaits = 'Stripe needs something from you before we can pay you. Open Stripe to finish.';

export function additionalPayoutNote({ state, paidAt, statement }: AdditionalPayout, timezone: string): string {
  const why = statement.released ? 'We held this money back.' : 'The dispute is over and this money is yours.';
  const notes: Record<AdditionalPayout['state'], string> = {
    requested: `${why} It's on its way.`,
    'awaiting-funds': `${why} Stripe is still clearing it; we'll send it automatically.`,
    'awaiting-account': `${why} ${accountWaits}`,
    paid: `${statement.net > 0 ? 'Sent' : 'It covered what you owed'}${paidAt ? `, ${formatShort(paidAt, timezone)}` : ''}.`,
  };
  return notes[state];
}
