import { useState } from 'react';
import type { OwnDispute } from '#contract/app/disputes.ts';
import { ownDisputes as text } from '#messages/disputes.ts';
import { formatCents } from '#messages/format.ts';
import { disputeReason } from '#messages/operations/disputes.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { DueChip } from '#web/ui/data/DueChip.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import styles from './DisputedPayments.module.css';
import { StatementDialog } from './StatementDialog.tsx';

/** Open disputes, and what the organizer can add to the evidence. Nothing while there are none. */
export function DisputedPayments({
  disputes,
  onSaved,
}: {
  disputes: readonly OwnDispute[];
  onSaved: () => Promise<void>;
}) {
  const [openId, setOpenId] = useState<string | null>(null);
  const open = disputes.find(({ disputeId }) => disputeId === openId);
  if (disputes.length === 0) return null;
  return (
    <div id="disputes">
      <Banner kind="warning" title={text.title(disputes.length)}>
        <p className={styles.lead}>{text.lead}</p>
        <ul className={styles.disputes}>
          {disputes.map((dispute) => (
            <Dispute key={dispute.disputeId} dispute={dispute} onOpen={() => setOpenId(dispute.disputeId)} />
          ))}
        </ul>
        {open && <StatementDialog dispute={open} onClose={() => setOpenId(null)} onSaved={onSaved} />}
      </Banner>
    </div>
  );
}

function Dispute({ dispute, onOpen }: { dispute: OwnDispute; onOpen: () => void }) {
  const { title, cents, reason, dueAt, timezone, statement, denial } = dispute;
  const label = statement ? text.change : text.add;
  return (
    <li className={styles.dispute}>
      <p className={styles.about}>
        <b>{title}</b> {formatCents(cents)}, {disputeReason(reason)}
      </p>
      {denial && <Chip tone={denial === 'sent' ? 'ok' : 'off'}>{text.denied[denial]}</Chip>}
      {!denial && dueAt && <DueChip dueAt={dueAt} timeZone={timezone} />}
      {!denial && (
        <Button kind="ghost" onClick={onOpen} aria-label={`${label}: ${title}, ${formatCents(cents)}`}>
          {label}
        </Button>
      )}
    </li>
  );
}
