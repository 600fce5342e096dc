import { useEffect, useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { type PayoutStatement, requestPayout } from '#contract/app/payouts.ts';
import { type Access, isAllowed } from '#domain/accounts/roles.ts';
import { formatDollars } from '#messages/format.ts';
import {
  additionalPayoutRows,
  payoutAccountCheck,
  payoutErrors,
  payoutProcessed,
  payoutRequested,
  type StatementRow,
  statementRows,
} from '#messages/payouts.ts';
import { call, messageFrom } from '#web/api.ts';
import { endedWithoutSales, payoutDenial } from '#web/profile/events/event-totals.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Timeline } from '#web/ui/data/Timeline.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Icon } from '#web/ui/icons/Icon.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import { Stamp } from '#web/ui/ticket/Stamp.tsx';
import styles from './PayoutPanel.module.css';
import { additionalPayoutNote, heldNote, payoutNote, payoutSteps, statementNotes } from './payout-messages.ts';

interface PayoutPanelProps {
  event: OrganizerEvent;
  access: Access;
  /** No payout starts before an owner confirms the account. */
  isAccountUnconfirmed: boolean;
  onChanged: () => Promise<void>;
}

/** Payout status, statement and button of an event. */
export function PayoutPanel({ event, access, isAccountUnconfirmed, onChanged }: PayoutPanelProps) {
  const now = useEachMinute();
  const [isRequesting, setIsRequesting] = useState(false);
  const [total, setTotal] = useState<number | null>(null);
  const { state, statement } = event.payout;
  const denial = payoutDenial(event);
  const isReady = state === 'open' && !event.payout.hold;
  const waitsForOwner = isReady && isAccountUnconfirmed;
  const mayConfirm = isAllowed(access, 'payout-account.manage');
  const waitsNote = mayConfirm ? payoutAccountCheck.first : payoutErrors['payout-account.unconfirmed'];
  const hasStatement = !denial && !endedWithoutSales(event, now);

  // Always ask the server while the state can change: its clock and balances decide, and each denial has its own
  // message.
  async function request() {
    if (denial) return toast.error(denial);
    setIsRequesting(true);
    try {
      const { totalPayout } = await call(requestPayout, { eventId: event.eventId });
      setTotal(totalPayout);
      toast.success(mayConfirm ? payoutProcessed : payoutRequested);
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
        <p>{waitsForOwner ? waitsNote : payoutNote(event, now)}</p>
      </div>
      {hasStatement && <Timeline label="Steps to the payout" steps={payoutSteps(event, now)} />}
      <div className={styles.money}>
        {hasStatement && statement && <Statement state={state} statement={statement} timezone={event.timezone} />}
        <div className={styles.request}>
          {isAllowed(access, 'payout.request') && (
            <Button
              kind={isReady && !waitsForOwner ? 'gold' : 'ghost'}
              busy={isRequesting}
              aria-disabled={denial !== null || undefined}
              onClick={request}
            >
              Request Payout
            </Button>
          )}
          <p role="status" className={styles.total}>
            {total !== null && `Your payout: ${formatDollars(total)}`}
          </p>
          {state === 'paid' && <Stamp text="PAID" size={96} className={styles.stamp} />}
        </div>
      </div>
      <AdditionalPayouts event={event} />
    </section>
  );
}

type StatementProps = { state: OrganizerEvent['payout']['state']; statement: PayoutStatement; timezone: string };

/** Expanded once a payout is near; before that, collapsed to the estimate. */
function Statement({ state, statement, timezone }: StatementProps) {
  const isEarly = state === 'too-early';
  return (
    <details className={styles.statement} open={!isEarly}>
      <summary>
        <Icon name="chevron-right" size={18} className={styles.chevron} />
        {isEarly ? 'Estimated payout' : 'Statement'}
        <b>{formatDollars(Math.max(0, statement.net))}</b>
      </summary>
      <StatementRows lines={statementRows(statement, timezone)} />
      {statementNotes(statement).map((note) => (
        <p key={note} className={styles.aside}>
          {note}
        </p>
      ))}
    </details>
  );
}

/** Money that was held back, or released after a dispute, and is paid out automatically. */
function AdditionalPayouts({ event }: { event: OrganizerEvent }) {
  return event.payout.further.map((payout) => (
    <section key={payout.requestedAt} className={styles.additional} aria-label="Additional payout">
      <h5>Additional payout</h5>
      <p>{heldNote(event, payout) ?? additionalPayoutNote(payout, event.timezone)}</p>
      <div className={styles.statement}>
        <StatementRows lines={additionalPayoutRows(payout.statement, event.timezone)} />
      </div>
    </section>
  ));
}

function StatementRows({ lines }: { lines: StatementRow[] }) {
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
