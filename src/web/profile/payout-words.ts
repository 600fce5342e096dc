/** The way of an event's money to its organizer, in words and figures. */
import type { OrganizerEvent } from '#contract/events.ts';
import { payoutObstacles } from '#contract/payouts.ts';
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';
import { formatShort } from '#web/ui/format.ts';
import { counted, hasEnded, isPayoutRequested, money } from './event-figures.ts';

type PayoutState = OrganizerEvent['payout']['state'];
export type FurtherPayout = OrganizerEvent['payout']['further'][number];

const MINUTE = 60_000;

interface PayoutStep {
  label: string;
  note: string | undefined;
  is: 'done' | 'next' | 'ahead';
}

/** On sale, ended, a day later, requested, paid. The first that is not done is the next one. */
export function payoutSteps(event: OrganizerEvent, now: Date): PayoutStep[] {
  const { state, opensAt, paidAt } = event.payout;
  const moment = (instant: string) => formatShort(instant, event.timezone);
  const isRequested = isPayoutRequested(event);
  const isOpen = isRequested || state === 'open' || (state === 'nothing-to-pay' && now >= new Date(opensAt));
  const isOver = isOpen || hasEnded(event, now);

  const steps = [
    { label: 'On sale', isDone: true },
    { label: 'Ended', isDone: isOver, note: moment(event.endDate_endTime) },
    {
      label: `+${SETTLEMENT_HOLD_HOURS} h`,
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

/** `in 3 days 4 h`, `in 5 h 12 min`, `in 12 min`; the parts that matter from there. */
export function countdown(until: Date, now: Date): string {
  const minutes = Math.ceil((until.getTime() - now.getTime()) / MINUTE);
  if (minutes <= 0) return 'any moment now';
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  if (days > 0) return `in ${counted(days, 'day')}${hours > 0 ? ` ${hours} h` : ''}`;
  return `in ${[hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ')}`;
}

export interface StatementLine {
  label: string;
  amount: string;
  /** Told beside the amounts, but no part of the sum. */
  isAside?: true;
  isNet?: true;
}

/** Gross, ticket fees, processing fee, refunds, and then the net; what else there can be only where there is some. */
export function statementLines(event: OrganizerEvent): StatementLine[] {
  const { ticketsSold, gross, ticketFeeRate, ticketFees, processingFee, refunded, net } = event.payout.statement;
  const { withheld } = event.payout.statement;
  return [
    { label: `Gross, ${counted(ticketsSold, 'ticket')}`, amount: money(gross) },
    { label: `Ticket fees, ${ticketFeeRate} per ticket`, amount: taken(ticketFees) },
    { label: 'Processing fee', amount: event.feeWaiveStatus ? 'Waived' : taken(processingFee) },
    ...takenLines(event.payout.statement),
    { label: 'Refunds, already left out of the gross', amount: money(refunded), isAside: true },
    ...(withheld > 0
      ? [{ label: 'Disputed, left out until a bank decides', amount: money(withheld), isAside: true as const }]
      : []),
    { label: net > 0 ? 'Net, what you receive' : 'Net, nothing to pay out', amount: money(net), isNet: true },
  ];
}

/** Of a payout that followed a dispute: no processing fee, and nothing that has to be left out. */
export function furtherLines({ statement }: FurtherPayout): StatementLine[] {
  const { ticketsSold, gross, ticketFeeRate, ticketFees, net } = statement;
  const returned = ticketsSold > 0 ? `Returned, ${counted(ticketsSold, 'ticket')}` : 'Returned';
  return [
    { label: returned, amount: money(gross) },
    { label: `Ticket fees, ${ticketFeeRate} per ticket`, amount: taken(ticketFees) },
    ...takenLines(statement),
    { label: net > 0 ? 'Net, what you receive' : 'Net, nothing to pay out', amount: money(net), isNet: true },
  ];
}

function takenLines({ deducted, keptForDebt }: OrganizerEvent['payout']['statement']): StatementLine[] {
  return [
    { label: 'Given back to buyers who keep their tickets', dollars: deducted },
    { label: 'Kept for what you owe from earlier payouts', dollars: keptForDebt },
  ]
    .filter(({ dollars }) => dollars > 0)
    .map(({ label, dollars }) => ({ label, amount: taken(dollars) }));
}

const taken = (dollars: number) => (dollars === 0 ? money(0) : `−${money(dollars)}`);

export function payoutNote(event: OrganizerEvent): string {
  const { state, statement } = event.payout;
  const notes: Record<PayoutState, string> = {
    'too-early': payoutObstacles['too-early'],
    open: 'The payout is ready. Check the statement, then request it.',
    requested: 'You requested the payout. It is on its way.',
    'awaiting-funds': 'You requested the payout. It is sent once the card company has the money ready.',
    'awaiting-account': `You requested the payout. ${accountWaits}`,
    paid: statement.net > 0 ? 'The payout was sent to your account.' : 'The payout settled what you owed.',
    'nothing-to-pay': payoutObstacles[whyNothing(statement)],
    cancelled: payoutObstacles['event-cancelled'],
  };
  return notes[state];
}

const accountWaits =
  'Your payout account cannot take money at the moment. Open your Stripe dashboard to see what is missing; we send the payout as soon as it can.';

function whyNothing({ ticketsSold, withheld }: OrganizerEvent['payout']['statement']) {
  if (ticketsSold > 0) return 'fees-exceed-sales';
  return withheld > 0 ? 'all-disputed' : 'nothing-sold';
}

export function furtherNote({ state, paidAt, statement }: FurtherPayout, timezone: string): string {
  const notes: Record<FurtherPayout['state'], string> = {
    requested: 'A dispute has ended, and this is yours. It is on its way.',
    'awaiting-funds': 'A dispute has ended, and this is yours. It is sent once the card company has the money ready.',
    'awaiting-account': `A dispute has ended, and this is yours. ${accountWaits}`,
    paid: `${statement.net > 0 ? 'Sent' : 'It settled what you owed'}${paidAt ? `, ${formatShort(paidAt, timezone)}` : ''}.`,
  };
  return notes[state];
}
