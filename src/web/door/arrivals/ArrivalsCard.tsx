import { type CheckInDashboard } from '#contract/app/check-in-devices.ts';
import { noArrivals } from '#messages/check-in-dashboard.ts';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import styles from '../door.module.css';
import { shortMoment } from '../event-clock.ts';
import { ArrivalsChart } from './ArrivalsChart.tsx';
import { type ArrivalBar, arrivalBars } from './arrival-bars.ts';
import { summarizeArrivals } from './arrivals-summary.ts';

export function ArrivalsCard({ view: { arrivals, timezone, now } }: { view: CheckInDashboard }) {
  const chart = arrivalBars(arrivals, now);
  const columns: Column<ArrivalBar>[] = [
    { label: '5 minutes from', cell: ({ from }) => shortMoment(from, timezone, now) },
    { label: 'Checked in', numeric: true, cell: ({ admitted }) => admitted.toLocaleString('en-US') },
  ];

  return (
    <section className={styles.card} aria-labelledby="arrivals">
      <h2 id="arrivals">Arrivals</h2>
      {chart.bars.length === 0 ? (
        <p className={styles.none}>{noArrivals} Arrivals show up in 5-minute bars.</p>
      ) : (
        <>
          <p id="arrivals-words" className={styles.faint}>
            {summarizeArrivals(chart, timezone, now)}
          </p>
          <ArrivalsChart chart={chart} timezone={timezone} labelledBy="arrivals-words" />
          <details className={styles.more}>
            <summary>As a table</summary>
            <DataTable
              caption="Check-ins, every 5 minutes"
              columns={columns}
              rows={chart.bars.filter(({ admitted }) => admitted > 0)}
              keyOf={({ from }) => String(from)}
            />
          </details>
        </>
      )}
    </section>
  );
}
