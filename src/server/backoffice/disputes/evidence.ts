/** Assembles the evidence for a dispute. It says only what is stored. */
import { addressLine, formatCents } from '#messages/format.ts';
import { evidenceDocument as text } from '#messages/operations/evidence.ts';
import { plainTextOf } from '#server/events/rich-text/read-rich-text.ts';
import type { Db } from '#server/platform/database.ts';
import type { DisputeEvidence } from '#server/platform/ports/payment-processor.ts';
import { emailsOf, linesOf, purchaseOf, refundsOf, scansOf, statementOf } from './evidence.sql.ts';

type Part = keyof (typeof text)['sections'];

export interface Evidence {
  title: string;
  sections: Record<Part, string[]>;
  texts: DisputeEvidence['texts'];
}

interface Disputed {
  eventId: string;
  id: string;
  orderId: string;
  stripeDisputeId: string;
}

export async function assembleEvidence(
  db: Db,
  { id: disputeId, stripeDisputeId, ...order }: Disputed,
): Promise<Evidence> {
  const purchase = await purchaseOf(db, order);
  const { buyerEmail, paymentId, paidAt, cents, title, description, organization, timezone } = purchase;
  const at = timesIn(timezone);
  const event = text.event(title, organization ?? text.organizer);
  const lines = (await linesOf(db, order)).map((line) =>
    text.line(line.quantity, line.ticketName, formatCents(line.unitPriceCents)),
  );
  const sections = {
    purchase: [
      text.order(order.orderId),
      ...(paymentId ? [text.payment(paymentId)] : []),
      ...(buyerEmail ? [text.buyer(buyerEmail)] : []),
      ...(paidAt ? [text.paid(formatCents(cents), at(paidAt))] : []),
      ...lines,
    ],
    page: [
      ...(purchase.pageVersion === null ? [] : [text.version(purchase.pageVersion)]),
      event,
      text.takesPlace(at(purchase.startsAt), at(purchase.endsAt)),
      addressLine(purchase),
      text.policy,
      ...plainTextOf(description).split('\n'),
    ],
    organizer: (await statementOf(db, { eventId: order.eventId, disputeId }))?.split('\n') ?? [],
    emails: (await emailsOf(db, order)).map(({ kind, sentAt }) => text.email(kind, sentAt && at(sentAt))),
    scans: (await scansOf(db, order)).map(({ ticketName, confirmationNumber: number, scannedAt, device }) =>
      scannedAt
        ? text.scan(ticketName, number, at(scannedAt), device ?? text.device)
        : text.unscanned(ticketName, number),
    ),
    refunds: (await refundsOf(db, order)).map((refund) =>
      text.refund(formatCents(refund.cents), refund.reason, refund.state, at(refund.createdAt)),
    ),
  };
  const { purchase: bought, organizer, emails, scans, refunds } = sections;
  return {
    title: text.title(stripeDisputeId),
    sections,
    texts: {
      buyerEmail,
      product: [event, ...lines].join('\n'),
      serviceDate: at(purchase.startsAt),
      policy: text.policy,
      scans: joined(scans),
      other: [bought, organizer, emails, refunds].map(joined).join('\n\n'),
    },
  };
}

const joined = (rows: readonly string[]) => (rows.length > 0 ? rows.join('\n') : text.nothing);

const timesIn = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'long', timeZone });
  return (moment: Date) => format.format(moment);
};
