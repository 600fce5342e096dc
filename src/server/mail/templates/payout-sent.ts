import { formatTicketFee } from '#domain/fees.ts';
import { formatCents } from '#domain/money.ts';
import type { PayoutStatement } from '#domain/payout-statement.ts';
import { type Block, button, paragraph, smallPrint } from './blocks.ts';
import { type Letter, letter } from './letter.ts';

export interface PayoutForMail {
  title: string;
  /** 1 for the payout that was asked for; later ones follow a dispute. */
  seq: number;
  statement: PayoutStatement;
  /** Of the profile, where the statement stands. */
  url: string;
}

export function payoutSentLetter({ title, seq, statement, url }: PayoutForMail): Letter {
  const net = formatCents(statement.netCents);
  const isEmpty = statement.netCents === 0;
  return letter({
    subject: isEmpty ? `${title}: your payout settled what you owed` : `${title}: ${net} paid out`,
    preview: isEmpty ? 'All of it was kept for earlier debts.' : 'The money is in your payout account.',
    head: { above: seq === 1 ? 'Payout' : 'Further payout', title, below: [net] },
    blocks: [
      ...(seq === 1 ? [] : [paragraph('A dispute over this event has ended, and what it had held back is yours.')]),
      paragraph(
        isEmpty
          ? 'All that was due was kept for what you owed from earlier payouts, so nothing was sent.'
          : `We have sent ${net} to your payout account. Your bank may take a few days to show it.`,
      ),
      ...lines(statement, seq),
      button('Open your profile', url),
      smallPrint('Refunded tickets are not part of these sales and bear no fee.'),
    ],
  });
}

/** As on the profile: what is zero is not told, but for what every payout bears. */
function lines(statement: PayoutStatement, seq: number): Block[] {
  const { paidTickets, freeTickets, withheldTickets, grossCents, rate, ticketFeesCents, processingFeeCents } =
    statement;
  const { withheldCents, deductedCents, keptForDebtCents, netCents } = statement;
  const sold = counted(paidTickets + freeTickets + withheldTickets, 'ticket');
  const billed = seq === 1 ? `${counted(paidTickets, 'paid ticket')} at ` : '';
  const fee = processingFeeCents === 0 ? 'waived' : taken(processingFeeCents);
  const told: [string, boolean][] = [
    [`${seq === 1 ? `${sold} sold` : 'Returned'}: ${formatCents(grossCents + withheldCents)}.`, true],
    [`On hold, ${counted(withheldTickets, 'disputed ticket')}: ${taken(withheldCents)}.`, withheldCents > 0],
    [`Ticket fees, ${billed}${formatTicketFee(rate)}: ${taken(ticketFeesCents)}.`, true],
    [`Processing fee: ${fee}.`, seq === 1],
    [`Partial refunds: ${taken(deductedCents)}.`, deductedCents > 0],
    [`Recovered from earlier disputes: ${taken(keptForDebtCents)}.`, keptForDebtCents > 0],
    [`You get: ${formatCents(netCents)}.`, true],
  ];
  return told.filter(([, isTold]) => isTold).map(([words]) => paragraph(words));
}

const taken = (cents: number) => `−${formatCents(cents)}`;
const counted = (count: number, noun: string) => `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
