import { additionalPayoutRows, statementRows } from '#contract/payout-statement-words.ts';
import { formatCents } from '#domain/money.ts';
import { statementReply } from '#server/payments/payouts/statement-reply.ts';
import type { SettledStatement } from '#server/platform/schema.ts';
import { button, paragraph, smallPrint } from './blocks.ts';
import { type EmailLayout, renderLayout } from './layout.ts';

export interface PayoutForEmail {
  title: string;
  /** 1 for the payout that was asked for; later ones follow a dispute. */
  seq: number;
  statement: SettledStatement;
  /** Of the profile, where the statement stands. */
  url: string;
}

export function payoutSentEmail({ title, seq, statement, url }: PayoutForEmail): EmailLayout {
  const net = formatCents(statement.netCents);
  const isEmpty = statement.netCents === 0;
  const lines = seq === 1 ? statementRows(statementReply(statement)) : additionalPayoutRows(statementReply(statement));
  return renderLayout({
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
      ...lines.map(({ label, amount }) => paragraph(`${label}: ${amount}.`)),
      button('Open your profile', url),
      smallPrint('Refunded tickets are not part of these sales and bear no fee.'),
    ],
  });
}
