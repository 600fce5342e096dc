import { formatCents } from '#messages/format.ts';
import { additionalPayoutReason, additionalPayoutRows, discountsNote, statementRows } from '#messages/payouts.ts';
import { emailLinks } from '#messages/records/workspace.ts';
import { statementReply } from '#server/payments/payouts/statement-reply.ts';
import type { SettledStatement } from '#server/platform/schema/payments.ts';
import { button, type EmailContent, paragraph, smallPrint } from './layout.ts';

export interface PayoutForEmail {
  title: string;
  /** Of the event. */
  timezone: string;
  /** 1 for the payout that the organizer requested; later ones follow it or a dispute. */
  seq: number;
  statement: SettledStatement;
  /** The event's *Money*, which shows the statement. */
  url: string;
}

export function payoutSentEmail({ title, timezone, seq, statement, url }: PayoutForEmail): EmailContent {
  const net = formatCents(statement.netCents);
  const isEmpty = statement.netCents === 0;
  const reply = statementReply(statement);
  const rows = seq === 1 ? statementRows(reply, timezone) : additionalPayoutRows(reply, timezone);
  const discounts = discountsNote(reply);
  return {
    subject: isEmpty ? `${title}: your payout covered what you owed` : `${title}: ${net} paid out`,
    preview: isEmpty
      ? 'It all went toward what you owed from earlier payouts.'
      : 'The money is in your Stripe account.',
    head: { above: seq === 1 ? 'Payout' : 'Additional payout', title, below: [net] },
    blocks: [
      ...(seq === 1 ? [] : [paragraph(additionalPayoutReason(reply))]),
      paragraph(
        isEmpty
          ? 'This payout covered what you owed, so nothing was sent.'
          : `We sent ${net} to your Stripe account. Your bank may take a few days to show it.`,
      ),
      ...rows.map(({ label, amount }) => paragraph(`${label}: ${amount}.`)),
      ...(discounts ? [paragraph(discounts)] : []),
      button(emailLinks.money, url),
      smallPrint("Refunded tickets aren't included, and you pay no fees on them."),
    ],
  };
}
