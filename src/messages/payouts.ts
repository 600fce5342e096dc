/** Payouts, and their statements in the profile and in emails. */
import type { PayoutStatement } from '#contract/app/payouts.ts';
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';
import { formatDollars, PAID_TICKETS, plural, TICKETS } from './format.ts';
import { later } from './requests.ts';

export const payoutAccountConfirmed = 'Your payout account is confirmed.';

/** Shown after the password was reset by email, until an owner confirms the account. */
export const payoutAccountCheck = {
  title: 'Check your payout account',
  why: 'Your password was reset by email. Before your next payout, make sure that your money still goes to you.',
  open: 'Check the account',
  first: 'Check your payout account first, at the top of this page.',
  holder: 'Account holder',
  bank: 'Bank account',
  bankEnding: (last4: string) => `ending in ${last4}`,
  unknown: 'Not set up at Stripe yet',
  confirm: "It's mine",
  notMine: "Not yours? Don't confirm it. Change it in your Stripe Dashboard, or contact us.",
  failed: "We couldn't reach your payout account. Please try again.",
};

export const automaticPayouts = {
  label: 'Pay me automatically',
  hint: `We request each payout for you, ${SETTLEMENT_HOLD_HOURS} hours after the event ends.`,
  noAccount: 'Set up your payout account first.',
  turnedOn: `Automatic payouts are on. We request each one ${SETTLEMENT_HOLD_HOURS} hours after its event ends.`,
  turnedOff: 'Automatic payouts are off. Request each payout yourself.',
  isOn: 'Automatic payouts are on.',
  failed: "We couldn't change that. Please try again.",
};

export interface StatementRow {
  label: string;
  amount: string;
  /** Below 0 if it is deducted. */
  dollars: number;
  isNet?: true;
  /** The tickets that it counts. */
  guests?: 'sold' | 'disputed';
}

/** Not a row of the statement, whose prices are those paid. Null without discounts. */
export function discountsNote({ discounts }: Pick<PayoutStatement, 'discounts'>): string | null {
  return discounts > 0 ? `Discounts given: ${formatDollars(discounts)}. The sales above are what buyers paid.` : null;
}

/** Next to the statement; not part of its sum. */
export function statementNotes(statement: Pick<PayoutStatement, 'refunded' | 'discounts'>): string[] {
  const { refunded } = statement;
  const discounts = discountsNote(statement);
  return [
    ...(refunded > 0 ? [`Refunded to buyers: ${formatDollars(refunded)}. Not part of the sales above.`] : []),
    ...(discounts ? [discounts] : []),
  ];
}

/** From the tickets sold to the net amount. The last row is the sum of the others. */
export function statementRows(statement: PayoutStatement, timezone: string): StatementRow[] {
  const { ticketsSold, gross, ticketsOnHold, onHold, paidTickets, ticketFeeRate, ticketFees } = statement;
  return [
    { label: `${plural(ticketsSold, TICKETS)} sold`, ...added(gross), guests: 'sold' },
    ...deductionRows([
      [`On hold, ${plural(ticketsOnHold, { one: '# disputed ticket', other: '# disputed tickets' })}`, onHold],
    ]).map((row) => ({ ...row, guests: 'disputed' as const })),
    ...(paidTickets > 0
      ? [
          {
            label: `Ticket fees, ${plural(paidTickets, PAID_TICKETS)} at ${ticketFeeRate}`,
            ...taken(ticketFees),
          },
          // With a paid ticket, the fee is 0 only if it is waived.
          {
            label: 'Processing fee',
            ...taken(statement.processingFee),
            ...(statement.processingFee === 0 && { amount: 'Waived' }),
          },
        ]
      : []),
    ...lastRows(statement, timezone),
  ];
}

/** Rows of an additional payout: no processing fee, and nothing on hold. */
export function additionalPayoutRows(
  { ticketsSold, gross, ticketFeeRate, ticketFees, released, ...rest }: PayoutStatement,
  timezone: string,
): StatementRow[] {
  if (released) return [{ label: releasedLabels[released], ...added(gross) }, ...lastRows(rest, timezone)];
  const returned = ticketsSold > 0 ? `Returned, ${plural(ticketsSold, PAID_TICKETS)}` : 'Returned';
  return [
    { label: returned, ...added(gross) },
    { label: `Ticket fees, ${ticketFeeRate} per paid ticket`, ...taken(ticketFees) },
    ...lastRows(rest, timezone),
  ];
}

type HeldKind = PayoutStatement['held'][number]['kind'];

const heldLabels: Record<HeldKind, (day: string) => string> = {
  reserve: (day) => `Reserve until ${day}`,
  rest: (day) => `The rest, sent on ${day}`,
};

const releasedLabels: Record<HeldKind, string> = {
  reserve: 'Your reserve',
  rest: 'The rest of your first payout',
};

function lastRows(
  {
    deducted,
    refundCosts,
    debtDeducted,
    held,
    net,
  }: Pick<PayoutStatement, 'deducted' | 'refundCosts' | 'debtDeducted' | 'held' | 'net'>,
  timezone: string,
): StatementRow[] {
  return [
    ...deductionRows([
      ['Partial refunds', deducted],
      ['Card costs of refunds', refundCosts],
      ['Owed from earlier payouts', debtDeducted],
      ...held.map(({ kind, amount, until }) => [heldLabels[kind](dayOf(until, timezone)), amount] as const),
    ]),
    net < 0
      ? { label: 'Net, nothing to pay out', ...taken(-net), isNet: true }
      : { label: 'You get', ...added(net), isNet: true },
  ];
}

/** Omits zero amounts. */
function deductionRows(lines: (readonly [label: string, dollars: number])[]): StatementRow[] {
  return lines.filter(([, dollars]) => dollars > 0).map(([label, dollars]) => ({ label, ...taken(dollars) }));
}

/** `June 30` */
const dayOf = (instant: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { timeZone, month: 'long', day: 'numeric' }).format(new Date(instant));

const added = (dollars: number) => ({ dollars, amount: formatDollars(dollars) });

const taken = (dollars: number) =>
  dollars === 0 ? added(0) : { dollars: -dollars, amount: `−${formatDollars(dollars)}` };

/** Why an event gets another payout. */
export const additionalPayoutReason = ({ released }: Pick<PayoutStatement, 'released'>): string =>
  released
    ? 'We held this money back when we paid this event out. Now it follows.'
    : 'A dispute for this event is over, so the money we had on hold is yours.';

/** A first payout that an operator's setting delays. */
export const firstPayoutDelayed = (at: string, timezone: string): string =>
  `This is your first payout. We'll send it on ${dayOf(at, timezone)}.`;

export const payoutProcessed = "Payout Processed! Visit 'Stripe Dashboard' on your profile for more information.";

/** For a member who can't open the Stripe account. */
export const payoutRequested = "Payout Processed! It goes to the organization's Stripe account.";

export const payoutErrors = {
  'payments.unreachable': later('Payments are down right now. Please try again in a minute.'),
  'payout.all-disputed': "All of this event's sales are in dispute. You can request a payout once a bank decides.",
  'payout.already-paid-out': 'This event was already paid out.',
  'payout.books-disagree': "We're double-checking this event's sales before paying out. Please contact support.",
  'payout.event-cancelled': "Cancelled events don't pay out.",
  'payout.fees-exceed-sales': "Fees used up these sales, so there's nothing to pay out.",
  'payout.nothing-sold': "No tickets were sold, so there's nothing to pay out.",
  'payout.objections-open':
    "A buyer says they weren't there when their ticket was checked in, long before the start. Your payout waits until we've looked into it and the buyer has had a day to ask for a refund.",
  /** By an operator, with the reason. */
  'payout.on-hold': ({ reason }: { reason: string }) => `This payout is on hold. Our reason: “${reason}”`,
  'payout.only-free-tickets': "Only free tickets were sold, so there's nothing to pay out.",
  'payout.refunds-under-way': "This event's refunds are still in progress. Please try again in a few minutes.",
  'payout.too-early': `You can request your payout ${SETTLEMENT_HOLD_HOURS} hours after the event ends.`,
  'payout-account.account-information-missing': 'Please complete your account information first.',
  'payout-account.no-payout-account': 'Please connect Stripe first.',
  'payout-account.unconfirmed':
    'An owner has to confirm the payout account first, because their password was reset by email.',
};
