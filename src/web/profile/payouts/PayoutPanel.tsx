import { useEffect, useState } from 'react';
import type { OrganizerEvent } from '#contract/events.ts';
import { furtherLines, type StatementLine, statementLines } from '#contract/payout-statement-words.ts';
import { payoutProcessed, requestPayout } from '#contract/payouts.ts';
import { formatDollars } from '#domain/money.ts';
import { call, messageFrom } from '#web/api.ts';
import { endedWithoutSales, payoutRefusal } from '#web/profile/events/event-totals.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Timeline } from '#web/ui/data/Timeline.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Icon } from '#web/ui/icons/Icon.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import { Stamp } from '#web/ui/ticket/Stamp.tsx';
import styles from './PayoutPanel.module.css';
import { furtherNote, payoutNote, payoutSteps, refundedNote } from './payout-messages.ts';

interface PayoutPanelProps {
  event: OrganizerEvent;
  onChanged: () => Promise<void>;
}

/** Where the event's money is, what it comes to, and then the button. */
export function PayoutPanel({ event, onChanged }: PayoutPanelProps) {
  const now = useEachMinute();
  const [isRequesting, setIsRequesting] = useState(false);
  const [total, setTotal] = useState<number | null>(null);
  const { state } = event.payout;
  const refusal = payoutRefusal(event);
  const hasStatement = !refusal && !endedWithoutSales(event, now);

  // Asked in every state that can change: clocks differ, money moves meanwhile, and the server has a sentence for each refusal.
  async function request() {
    if (refusal) return toast.error(refusal);
    setIsRequesting(true);
    try {
      const { totalPayout } = await call(requestPayout, { eventId: event.eventId });
      setTotal(totalPayout);
      toast.success(payoutProcessed);
      await onChanged();
    } catch (error) {
      toast.error(messageFrom(error, 'Error requesting payout'));
    }
    setIsRequesting(false);
  }

  return (
    <section className={styles.panel} aria-label={`Payout of ${event.title}`}>
      <div className={styles.head}>
        <h4>Payout</h4>
        <p>{payoutNote(event, now)}</p>
      </div>
      {hasStatement && <Timeline label="Steps to the payout" steps={payoutSteps(event, now)} />}
      <div className={styles.money}>
        {hasStatement && <Statement event={event} />}
        <div className={styles.request}>
          <Button
            kind={state === 'open' ? 'gold' : 'ghost'}
            busy={isRequesting}
            aria-disabled={refusal !== null || undefined}
            onClick={request}
          >
            Request Payout
          </Button>
          <p role="status" className={styles.total}>
            {total !== null && `Your payout: ${formatDollars(total)}`}
          </p>
          {state === 'paid' && <Stamp text="PAID" size={96} className={styles.stamp} />}
        </div>
      </div>
      <Further event={event} />
    </section>
  );
}

/** Open once it matters; before that, one line says what it comes to so far. */
function Statement({ event }: { event: OrganizerEvent }) {
  const { state, statement } = event.payout;
  const isEarly = state === 'too-early';
  const refunded = refundedNote(statement);
  return (
    <details className={styles.statement} open={!isEarly}>
      <summary>
        <Icon name="chevron-right" size={18} className={styles.chevron} />
        {isEarly ? 'Estimated payout' : 'Statement'}
        <b>{formatDollars(Math.max(0, statement.net))}</b>
      </summary>
      <Lines lines={statementLines(statement)} />
      {refunded && <p className={styles.aside}>{refunded}</p>}
    </details>
  );
}

/** What a dispute had held back, and paid by itself once it had ended. */
function Further({ event }: { event: OrganizerEvent }) {
  return event.payout.further.map((payout) => (
    <section key={payout.requestedAt} className={styles.further} aria-label="Further payout">
      <h5>Further payout</h5>
      <p>{furtherNote(payout, event.timezone)}</p>
      <div className={styles.statement}>
        <Lines lines={furtherLines(payout.statement)} />
      </div>
    </section>
  ));
}

function Lines({ lines }: { lines: StatementLine[] }) {
  return (
    <dl>
      {lines.map(({ label, amount, isNet }) => (
        <div key={label} className={classNames(isNet && styles.net)}>
          <dt>{label}</dt>
          <dd>{amount}</dd>
        </div>
      ))}
    </dl>
  );
}

const MINUTE = 60_000;

function useEachMinute(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return now;
}
