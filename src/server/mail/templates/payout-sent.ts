import { formatTicketFee } from '#domain/fees.ts';
import { formatCents } from '#domain/money.ts';
import type { PayoutStatement } from '#domain/payout-statement.ts';
import { button, paragraph, smallPrint } from './blocks.ts';
import { type Letter, letter } from './letter.ts';

export interface PayoutForMail {
  title: string;
  statement: PayoutStatement;
  /** Of the profile, where the statement stands. */
  url: string;
}

export function payoutSentLetter({ title, statement, url }: PayoutForMail): Letter {
  const { ticketsSold, grossCents, rate, ticketFeesCents, processingFeeCents, netCents } = statement;
  const sold = ticketsSold === 1 ? '1 ticket' : `${ticketsSold} tickets`;
  const fee = processingFeeCents === 0 ? 'waived' : formatCents(processingFeeCents);
  return letter({
    subject: `${title}: ${formatCents(netCents)} paid out`,
    preview: 'The money is in your payout account.',
    head: { above: 'Payout', title, below: [formatCents(netCents)] },
    blocks: [
      paragraph(
        `We have sent ${formatCents(netCents)} to your payout account. Your bank may take a few days to show it.`,
      ),
      paragraph(`Sales: ${formatCents(grossCents)} for ${sold}.`),
      paragraph(`Ticket fees (${formatTicketFee(rate)} each): ${formatCents(ticketFeesCents)}.`),
      paragraph(`Processing fee: ${fee}.`),
      button('Open your profile', url),
      smallPrint('Refunded tickets are not part of these sales and bear no fee.'),
    ],
  });
}
