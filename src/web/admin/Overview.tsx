import { centsOf } from '#domain/money.ts';
import { formatCents } from '#messages/format.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { StatTile, StatTiles } from '#web/ui/data/StatTile.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { ActionItems } from './ActionItems.tsx';
import { Alerts } from './Alerts.tsx';
import { Reports } from './abuse-reports/Reports.tsx';
import { Disputes } from './disputes/Disputes.tsx';
import { Money } from './Money.tsx';
import { MovedEvents } from './MovedEvents.tsx';
import styles from './Overview.module.css';
import { type OperatorView, useOperatorView } from './use-operator-view.ts';

export function Overview() {
  const { state, reload } = useOperatorView();
  const again = <Button onClick={() => void reload()}>{state.is === 'failed' ? 'Try again' : 'Refresh'}</Button>;

  if (state.is === 'loading') return <Skeleton className={styles.loading} />;
  if (state.is === 'failed') return <Banner kind="error" role="alert" title={state.msg} action={again} />;

  const { totals, actionItems, money, alerts, reports, disputes, moved, at } = state.view;
  return (
    <>
      <LedgerWarning totals={totals} />
      <Alerts alerts={alerts} />
      <Reports reports={reports} onActed={reload} />
      <Disputes disputes={disputes} now={at} onSent={reload} />
      <MovedEvents moved={moved} onActed={reload} />
      <ActionItems actionItems={actionItems} isAllClear={disputes.total === 0} onActed={reload} />
      <StatTiles label="Sales">
        <StatTile label="Organizers" value={totals.organizers.toLocaleString('en-US')} />
        <StatTile label="Active events" value={totals.activeEvents.toLocaleString('en-US')} />
        <StatTile label="Tickets sold" value={totals.ticketsSold.toLocaleString('en-US')} />
        <StatTile label="Gross sales" value={formatCents(centsOf(totals.gross) ?? 0)} note="before fees" />
      </StatTiles>
      <Money money={money} />
      <div className={styles.foot}>
        {again}
        <p>As of {at.toLocaleTimeString('en-US')}.</p>
      </div>
    </>
  );
}

/** Shown only if the ledger doesn't balance. */
function LedgerWarning({ totals }: { totals: OperatorView['totals'] }) {
  const discrepancy = totals.ledgerDiscrepancyCents;
  if (discrepancy === 0) return null;
  return (
    <Banner kind="error" title={`The ledger is off by ${formatCents(discrepancy)}`}>
      Ledger entries should sum to zero. Stop payouts and investigate.
    </Banner>
  );
}
