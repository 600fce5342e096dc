import { type CheckInDashboard } from '#contract/app/check-in-devices.ts';
import { noArrivals } from '#messages/check-in-dashboard.ts';
import { ChartWithTable } from '#web/ui/chart/ChartWithTable.tsx';
import { type Column } from '#web/ui/data/DataTable.tsx';
import { clockTime } from '#web/ui/data/format.ts';
import styles from '../door.module.css';
import { shortMoment } from '../event-clock.ts';
import { type ArrivalBar, arrivalBars, labelledBars } from './arrival-bars.ts';
import { summarizeArrivals } from './arrivals-summary.ts';

export function ArrivalsCard({ view: { arrivals, timezone, now } }: { view: CheckInDashboard }) {
  const chart = arrivalBars(arrivals, now);
  const { bars, top } = chart;
  const columns: Column<ArrivalBar>[] = [
    { label: '5 minutes from', cell: ({ from }) => shortMoment(from, timezone, now) },
    { label: 'Checked in', numeric: true, cell: ({ admitted }) => admitted.toLocaleString('en-US') },
  ];
  const time = (instant: number) => clockTime(instant, timezone);

  return (
    <section className={styles.card} aria-labelledby="arrivals">
      <h2 id="arrivals">Arrivals</h2>
      {bars.length === 0 ? (
        <p className={styles.none}>{noArrivals} Arrivals show up in 5-minute bars.</p>
      ) : (
        <ChartWithTable
          shape="bars"
          points={bars.map(({ from, admitted }) => ({
            key: String(from),
            value: admitted,
            title: `${time(from)}: ${admitted}`,
          }))}
          top={top}
          axis={labelledBars(bars).map((bar) => ({ at: bars.indexOf(bar), text: time(bar.from) }))}
          summary={summarizeArrivals(chart, timezone, now)}
          table={{
            caption: 'Check-ins, every 5 minutes',
            columns,
            rows: bars.filter(({ admitted }) => admitted > 0),
            keyOf: ({ from }) => String(from),
          }}
        />
      )}
    </section>
  );
}
