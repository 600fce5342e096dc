/** The statement of a payout, line by line: the same on the profile and in the email. */

import type { PayoutStatement } from '#contract/app/payouts.ts';
import { formatDollars } from '#domain/money.ts';
import { counted } from './counted.ts';

export interface StatementRow {
  label: string;
  amount: string;
  isNet?: true;
}

/** From the tickets sold, as the guest list counts them, to what the organizer gets: the lines add up to the last one. */
export function statementRows(statement: PayoutStatement): StatementRow[] {
  const { ticketsSold, gross, ticketsOnHold, onHold, paidTickets, ticketFeeRate, ticketFees } = statement;
  return [
    { label: `${counted(ticketsSold, 'ticket')} sold`, amount: formatDollars(gross) },
    ...deductionRows([[`On hold, ${counted(ticketsOnHold, 'disputed ticket')}`, onHold]]),
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
    ...lastRows(statement),
  ];
}

/** Of a payout that followed a dispute: no processing fee, and nothing on hold. */
export function additionalPayoutRows({
  ticketsSold,
  gross,
  ticketFeeRate,
  ticketFees,
  ...rest
}: PayoutStatement): StatementRow[] {
  const returned = ticketsSold > 0 ? `Returned, ${counted(ticketsSold, 'paid ticket')}` : 'Returned';
  return [
    { label: returned, amount: formatDollars(gross) },
    { label: `Ticket fees, ${ticketFeeRate} per paid ticket`, amount: taken(ticketFees) },
    ...lastRows(rest),
  ];
}

function lastRows({
  deducted,
  debtDeducted,
  net,
}: Pick<PayoutStatement, 'deducted' | 'debtDeducted' | 'net'>): StatementRow[] {
  return [
    ...deductionRows([
      ['Partial refunds', deducted],
      ['Owed from earlier payouts', debtDeducted],
    ]),
    net < 0
      ? { label: 'Net, nothing to pay out', amount: taken(-net), isNet: true }
      : { label: 'You get', amount: formatDollars(net), isNet: true },
  ];
}

/** Only what there is some of. */
function deductionRows(lines: [label: string, dollars: number][]): StatementRow[] {
  return lines.filter(([, dollars]) => dollars > 0).map(([label, dollars]) => ({ label, amount: taken(dollars) }));
}

const taken = (dollars: number) => (dollars === 0 ? formatDollars(0) : `−${formatDollars(dollars)}`);
