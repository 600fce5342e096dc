import { useCallback } from 'react';
import { useParams } from 'react-router';
import { eventMoney } from '#contract/app/records/workspace.ts';
import { isAllowed } from '#domain/accounts/roles.ts';
import { formatDollars } from '#messages/format.ts';
import { moneyTab as text } from '#messages/records/workspace.ts';
import { call } from '#web/api.ts';
import { DisputedPayments } from '#web/profile/disputes/DisputedPayments.tsx';
import { PayoutAccountCheck } from '#web/profile/payouts/PayoutAccountCheck.tsx';
import { PayoutPanel } from '#web/profile/payouts/PayoutPanel.tsx';
import { AutomaticPayouts } from '#web/shell/workspace/AutomaticPayouts.tsx';
import { EventTab } from '#web/shell/workspace/EventTab.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { useAnchor } from '#web/ui/page/use-anchor.ts';
import { usePolled } from '#web/ui/page/use-polled.ts';
import { EventFiles } from './EventFiles.tsx';
import styles from './money.module.css';
import { SalesTax } from './SalesTax.tsx';

const POLL_MS = 15_000;

export function MoneyScreen() {
  const { eventId = '' } = useParams();
  return <MoneyOfEvent key={eventId} eventId={eventId} />;
}

function MoneyOfEvent({ eventId }: { eventId: string }) {
  const read = useCallback((signal: AbortSignal) => call(eventMoney, { eventId }, { signal }), [eventId]);
  const { view: money, failure, refresh } = usePolled(read, POLL_MS);
  const reload = async () => refresh();
  useAnchor(money !== null);
  const access = money && { role: money.role, onlyEventIds: null };
  const payout = money?.event.payout;

  return (
    <EventTab eventId={eventId} tab="money">
      {!money && !failure && <Skeleton className={styles.loading} />}
      {failure && !money && <NotLoaded msg={failure.msg} mayRetry={failure.mayRetry} onRetry={reload} />}
      {money && access && (
        <>
          {isAllowed(access, 'payout-account.manage') && money.isPayoutAccountUnconfirmed && (
            <PayoutAccountCheck onConfirmed={reload} />
          )}
          <DisputedPayments disputes={money.disputes} onSaved={reload} />
          <section className={styles.card} aria-labelledby="money-gets">
            {payout?.statement && (
              <div className={styles.hero}>
                <h2 id="money-gets">{payout.state === 'paid' ? text.got : text.gets}</h2>
                <p className={styles.amount}>{formatDollars(Math.max(0, payout.statement.net))}</p>
              </div>
            )}
            <PayoutPanel
              event={money.event}
              access={access}
              isAccountUnconfirmed={money.isPayoutAccountUnconfirmed}
              isWhole
              onChanged={reload}
            />
            <div className={styles.automatic}>
              <AutomaticPayouts automatic={money.automatic} onChanged={reload} />
            </div>
          </section>
          <SalesTax eventId={eventId} timezone={money.event.timezone} />
          <EventFiles event={money.event} />
        </>
      )}
    </EventTab>
  );
}

export { MoneyScreen as Component };
