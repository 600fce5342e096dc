import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { OrganizerEvent } from '#contract/app/events.ts';
import type { PayoutStatement } from '#contract/app/payouts.ts';
import { type Access, isAllowed } from '#domain/accounts/roles.ts';
import { formatDollars } from '#messages/format.ts';
import {
  additionalPayoutRows,
  payoutAccountCheck,
  payoutErrors,
  type StatementRow,
  statementNotes,
  statementRows,
} from '#messages/payouts.ts';
import { endedWithoutSales, payoutDenial } from '#web/profile/events/event-totals.ts';
import { Timeline } from '#web/ui/data/Timeline.tsx';
import { Icon } from '#web/ui/icons/Icon.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import { Stamp } from '#web/ui/ticket/Stamp.tsx';
import styles from './PayoutPanel.module.css';
import { additionalPayoutNote, heldNote, payoutNote, payoutSteps } from './payout-messages.ts';
import { RequestPayout } from './RequestPayout.tsx';

interface PayoutPanelProps {
  event: OrganizerEvent;
  access: Access;
  /** No payout starts before an owner confirms the account. */
  isAccountUnconfirmed: boolean;
  /** With every step and an open statement, long before the payout too. */
  isWhole?: boolean;
  hasRequest?: boolean;
  onChanged: () => Promise<void>;
}

/** Payout status, statement and button of an event. */
export function PayoutPanel({
  event,
  access,
  isAccountUnconfirmed,
  isWhole = false,
  hasRequest = true,
  onChanged,
}: PayoutPanelProps) {
  const now = useEachMinute();
  const { state, statement } = event.payout;
  const denial = payoutDenial(event);
  const isReady = state === 'open' && !event.payout.hold;
  const waitsForOwner = isReady && isAccountUnconfirmed;
  const mayConfirm = isAllowed(access, 'payout-account.manage');
  const waitsNote = mayConfirm ? payoutAccountCheck.first : payoutErrors['payout-account.unconfirmed'];
  const hasStatement = !denial && !endedWithoutSales(event, now);

  return (
    <section className={styles.panel} aria-label={`Payout of ${event.title}`}>
      <div className={styles.head}>
        <h4>Payout</h4>
        <p>{waitsForOwner ? waitsNote : payoutNote(event, now)}</p>
      </div>
      {hasStatement && (isWhole || state !== 'too-early') && (
        <Timeline label="Steps to the payout" steps={payoutSteps(event, now)} />
      )}
      <div className={styles.money}>
        {hasStatement && statement && (
          <Statement event={event} statement={statement} isOpen={isWhole || state !== 'too-early'} />
        )}
        <div className={styles.request}>
          {hasRequest && (
            <RequestPayout event={event} access={access} isReady={isReady && !waitsForOwner} onChanged={onChanged} />
          )}
          {state === 'paid' && <Stamp text="PAID" size={96} className={styles.stamp} />}
        </div>
      </div>
      <AdditionalPayouts event={event} />
    </section>
  );
}

type StatementProps = { event: OrganizerEvent; statement: PayoutStatement; isOpen: boolean };

/** Expanded once a payout is near; before that, collapsed to the estimate. */
function Statement({ event: { eventId, payout, timezone }, statement, isOpen }: StatementProps) {
  return (
    <details className={styles.statement} open={isOpen}>
      <summary>
        <Icon name="chevron-right" size={18} className={styles.chevron} />
        {payout.state === 'too-early' ? 'Estimated payout' : 'Statement'}
        <b>{formatDollars(Math.max(0, statement.net))}</b>
      </summary>
      <StatementRows eventId={eventId} lines={statementRows(statement, timezone)} />
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
        <StatementRows eventId={event.eventId} lines={additionalPayoutRows(payout.statement, event.timezone)} />
      </div>
    </section>
  ));
}

/** Of what the rows are made: the guests whose tickets they count. */
const GUESTS = { sold: '', disputed: '?state=disputed' };

function StatementRows({ eventId, lines }: { eventId: string; lines: StatementRow[] }) {
  return (
    <dl>
      {lines.map(({ label, amount, isNet, guests }) => (
        <div key={label} className={classNames(isNet && styles.net)}>
          <dt>{guests ? <Link to={`/events/${eventId}/guests${GUESTS[guests]}`}>{label}</Link> : label}</dt>
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
