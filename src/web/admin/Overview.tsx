import { centsOf, formatCents } from '#domain/money.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Chip } from '#web/ui/Chip.tsx';
import { DataTable } from '#web/ui/DataTable.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { StatTile } from '#web/ui/StatTile.tsx';
import styles from './Overview.module.css';
import { type OverviewFigures, useOverview } from './use-overview.ts';

/** Work that can be late, in the operator's words. */
const queues: { [Name in keyof OverviewFigures['stuck']]: string } = {
  heldOrders: 'Checkouts past their time',
  notices: "The card company's notices",
  mails: 'Mails',
  refunds: 'Refunds',
  payouts: 'Payouts',
  jobs: 'Jobs that were given up',
};

export function Overview() {
  const { state, reload } = useOverview();
  const again = <Button onClick={() => void reload()}>{state.is === 'failed' ? 'Try again' : 'Refresh'}</Button>;

  if (state.is === 'loading') return <Skeleton className={styles.waiting} />;
  if (state.is === 'failed') return <Banner kind="error" role="alert" title={state.msg} action={again} />;
  return (
    <>
      <Health figures={state.figures} />
      <section className={styles.tiles} aria-label="Sales">
        <StatTile label="Organizers" value={state.figures.organizers.toLocaleString('en-US')} />
        <StatTile label="Active events" value={state.figures.activeEvents.toLocaleString('en-US')} />
        <StatTile label="Tickets sold" value={state.figures.ticketsSold.toLocaleString('en-US')} />
        <StatTile label="Grossed" value={formatCents(centsOf(state.figures.gross) ?? 0)} note="before fees" />
      </section>
      <Stuck stuck={state.figures.stuck} />
      <div className={styles.foot}>
        {again}
        <p>As of {state.at.toLocaleTimeString('en-US')}.</p>
      </div>
    </>
  );
}

function Health({ figures }: { figures: OverviewFigures }) {
  const late = Object.values(figures.stuck).reduce((sum, count) => sum + count, 0);
  const difference = figures.ledgerDifferenceCents;
  if (difference !== 0) {
    return (
      <Banner kind="error" title={`The books are off by ${formatCents(difference)}`}>
        Every movement of money should sum to zero. Stop payouts and look into the ledger.
      </Banner>
    );
  }
  if (late > 0)
    return (
      <Banner kind="warning" title="Some work is late">
        The books sum to zero.
      </Banner>
    );
  return <Banner kind="success" title="Nothing is late, and the books sum to zero" />;
}

function Stuck({ stuck }: { stuck: OverviewFigures['stuck'] }) {
  const rows = Object.entries(queues).map(([name, label]) => ({ label, count: countOf(stuck, name) }));
  return (
    <section className={styles.stuck} aria-labelledby="late">
      <h2 id="late">Late work</h2>
      <DataTable
        caption="Late work"
        rows={rows}
        keyOf={({ label }) => label}
        columns={[
          { label: 'Work', cell: ({ label }) => label },
          { label: 'Late', numeric: true, cell: ({ count }) => count.toLocaleString('en-US') },
          {
            label: 'State',
            cell: ({ count }) => <Chip tone={count > 0 ? 'few' : 'ok'}>{count > 0 ? 'Look into it' : 'Fine'}</Chip>,
          },
        ]}
      />
    </section>
  );
}

function countOf(stuck: OverviewFigures['stuck'], name: string): number {
  return new Map<string, number>(Object.entries(stuck)).get(name) ?? 0;
}
