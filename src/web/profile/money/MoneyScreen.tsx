import { useParams } from 'react-router';
import { isAllowed } from '#domain/accounts/roles.ts';
import { formatDollars } from '#messages/format.ts';
import { moneyTab as text } from '#messages/records/workspace.ts';
import { DisputedPayments } from '#web/profile/disputes/DisputedPayments.tsx';
import { useEventCard } from '#web/profile/events/use-event-card.ts';
import { PayoutAccountCheck } from '#web/profile/payouts/PayoutAccountCheck.tsx';
import { PayoutPanel } from '#web/profile/payouts/PayoutPanel.tsx';
import { EventTab } from '#web/shell/workspace/EventTab.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import styles from './money.module.css';

export function MoneyScreen() {
  const { eventId = '' } = useParams();
  return <MoneyOfEvent key={eventId} eventId={eventId} />;
}

function MoneyOfEvent({ eventId }: { eventId: string }) {
  const { card, failure, reload } = useEventCard(eventId);
  const access = card && { role: card.role, onlyEventIds: null };
  const payout = card?.event.payout;

  return (
    <EventTab eventId={eventId} tab="money">
      {!card && !failure && <Skeleton className={styles.loading} />}
      {failure && <NotLoaded msg={failure.msg} mayRetry={failure.mayRetry} onRetry={reload} />}
      {card && access && (
        <>
          {isAllowed(access, 'payout-account.manage') && card.isPayoutAccountUnconfirmed && (
            <PayoutAccountCheck onConfirmed={reload} />
          )}
          <DisputedPayments disputes={card.disputes} onSaved={reload} />
          <section className={styles.card} aria-labelledby="money-gets">
            {payout?.statement && (
              <div className={styles.hero}>
                <h2 id="money-gets">{payout.state === 'paid' ? text.got : text.gets}</h2>
                <p className={styles.amount}>{formatDollars(Math.max(0, payout.statement.net))}</p>
              </div>
            )}
            <PayoutPanel
              event={card.event}
              access={access}
              isAccountUnconfirmed={card.isPayoutAccountUnconfirmed}
              isWhole
              onChanged={reload}
            />
          </section>
        </>
      )}
    </EventTab>
  );
}

export { MoneyScreen as Component };
