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
  const { ticketsSold, grossCents, rate, ticketFeesCents, processingFeeCents } = statement;
  const { withheldCents, deductedCents, keptForDebtCents } = statement;
  const sold = ticketsSold === 1 ? '1 ticket' : `${ticketsSold} tickets`;
  const fee = processingFeeCents === 0 ? 'waived' : formatCents(processingFeeCents);
  const told: [string, boolean][] = [
    [
      ticketsSold > 0 ? `Sales: ${formatCents(grossCents)} for ${sold}.` : `Returned: ${formatCents(grossCents)}.`,
      true,
    ],
    [`Ticket fees (${formatTicketFee(rate)} each): ${formatCents(ticketFeesCents)}.`, true],
    [`Processing fee: ${fee}.`, seq === 1],
    [`Disputed and not paid out yet: ${formatCents(withheldCents)}.`, withheldCents > 0],
    [`Given back to buyers who keep their tickets: ${formatCents(deductedCents)}.`, deductedCents > 0],
    [`Kept for what you owed from earlier payouts: ${formatCents(keptForDebtCents)}.`, keptForDebtCents > 0],
  ];
  return told.filter(([, isTold]) => isTold).map(([words]) => paragraph(words));
}
