import { useState } from 'react';
import { type adminDisputes, adminEvidence, type OpenDispute, sendEvidence } from '#contract/app/admin.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { formatCents } from '#messages/format.ts';
import { disputeReason, disputeList as text } from '#messages/operations/disputes.ts';
import { evidenceTexts as evidence } from '#messages/operations/evidence.ts';
import { call, messageFrom } from '#web/api.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { DueChip } from '#web/ui/data/DueChip.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import styles from '../ActionItems.module.css';

/** Open disputes, what is due first. Nothing while there are none. */
export function Disputes({
  disputes: { disputes, total },
  now,
  onSent,
}: {
  disputes: ReplyOf<typeof adminDisputes>;
  now: Date;
  onSent: () => Promise<void>;
}) {
  if (total === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="disputes">
      <h2 id="disputes">{text.title(total)}</h2>
      <ul className={styles.items}>
        {disputes.map((dispute) => (
          <Dispute key={dispute.disputeId} dispute={dispute} now={now} onSent={onSent} />
        ))}
      </ul>
      {total > disputes.length && <p>{text.more(total - disputes.length)}</p>}
    </section>
  );
}

function Dispute({ dispute, now, onSent }: { dispute: OpenDispute; now: Date; onSent: () => Promise<void> }) {
  const { disputeId, eventId, title, organization, orderId, buyerEmail, cents, reason, isInquiry, stripeUrl } = dispute;
  const about = `${title}, ${formatCents(cents)}`;
  const [isSending, setIsSending] = useState(false);

  async function send() {
    setIsSending(true);
    try {
      const { msg } = await call(sendEvidence, { disputeId });
      toast.success(msg);
      await onSent();
    } catch (error) {
      toast.error(messageFrom(error, evidence.failed));
    } finally {
      setIsSending(false);
    }
  }

  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <h3>
          {disputeReason(reason)}
          {isInquiry && ` (${text.inquiry})`}
        </h3>
        <p className={styles.amount}>{formatCents(cents)}</p>
      </div>
      <DueAt dispute={dispute} now={now} />
      <p className={styles.source}>
        {buyerEmail ?? text.noBuyer}, <a href={`/payment/${eventId}`}>{title}</a>
        {organization && `, ${organization}`}
      </p>
      <p className={styles.source}>
        {text.order} {orderId}
      </p>
      {isInquiry && dispute.evidenceSentAt === null && <p className={styles.advice}>{text.inquiryAdvice}</p>}
      <div className={styles.actions}>
        <ButtonLink
          kind="ghost"
          href={`${adminEvidence.path}?disputeId=${disputeId}`}
          download=""
          aria-label={`${evidence.download}: ${about}`}
        >
          {evidence.download}
        </ButtonLink>
        {dispute.evidenceSentAt === null && (
          <Button kind="ghost" busy={isSending} onClick={() => void send()} aria-label={`${evidence.send}: ${about}`}>
            {evidence.send}
          </Button>
        )}
        <ButtonLink kind="ghost" href={stripeUrl} aria-label={`${text.openInStripe}: ${about}`}>
          {text.openInStripe}
        </ButtonLink>
      </div>
    </li>
  );
}

function DueAt({ dispute: { dueAt, evidenceSentAt }, now }: { dispute: OpenDispute; now: Date }) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (evidenceSentAt)
    return (
      <p>
        <Chip tone="ok">{evidence.sent(formatShort(evidenceSentAt, timeZone))}</Chip>
      </p>
    );
  if (!dueAt) return null;
  return (
    <p>
      <DueChip dueAt={dueAt} timeZone={timeZone} now={now} />
    </p>
  );
}
