/** The statement of a payout, line by line: the same on the profile and in the email. */
import { formatDollars } from '#domain/money.ts';
import { counted } from './counted.ts';
import type { PayoutStatement } from './payouts.ts';

export interface StatementLine {
  label: string;
  amount: string;
  isNet?: true;
}

/** From the tickets sold, as the guest list counts them, to what the organizer gets: the lines add up to the last one. */
export function statementLines(statement: PayoutStatement): StatementLine[] {
  const { ticketsSold, gross, withheldTickets, withheld, paidTickets, ticketFeeRate, ticketFees } = statement;
  return [
    { label: `${counted(ticketsSold, 'ticket')} sold`, amount: formatDollars(gross) },
    ...takenLines([[`On hold, ${counted(withheldTickets, 'disputed ticket')}`, withheld]]),
    ...(paidTickets > 0
      ? [
          {
            label: `Ticket fees, ${counted(paidTickets, 'paid ticket')} at ${ticketFeeRate}`,
            amount: taken(ticketFees),
          },
          // 0 only where it is waived, since a paid ticket is sold.
          {
            label: 'Processing fee',
            amount: statement.processingFee === 0 ? 'Waived' : taken(statement.processingFee),
          },
        ]
      : []),
    ...lastLines(statement),
  ];
}

/** Of a payout that followed a dispute: no processing fee, and nothing on hold. */
export function furtherLines({
  ticketsSold,
  gross,
  ticketFeeRate,
  ticketFees,
  ...rest
}: PayoutStatement): StatementLine[] {
  const returned = ticketsSold > 0 ? `Returned, ${counted(ticketsSold, 'paid ticket')}` : 'Returned';
  return [
    { label: returned, amount: formatDollars(gross) },
    { label: `Ticket fees, ${ticketFeeRate} per paid ticket`, amount: taken(ticketFees) },
    ...lastLines(rest),
  ];
}

function lastLines({
  deducted,
  keptForDebt,
  net,
}: Pick<PayoutStatement, 'deducted' | 'keptForDebt' | 'net'>): StatementLine[] {
  return [
    ...takenLines([
      ['Partial refunds', deducted],
      ['Owed from earlier payouts', keptForDebt],
    ]),
    net < 0
      ? { label: 'Net, nothing to pay out', amount: taken(-net), isNet: true }
      : { label: 'You get', amount: formatDollars(net), isNet: true },
  ];
}

/** Only what there is some of. */
function takenLines(lines: [label: string, dollars: number][]): StatementLine[] {
  return lines.filter(([, dollars]) => dollars > 0).map(([label, dollars]) => ({ label, amount: taken(dollars) }));
}

const taken = (dollars: number) => (dollars === 0 ? formatDollars(0) : `−${formatDollars(dollars)}`);
