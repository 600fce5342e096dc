import type { EventOverview } from '#contract/app/records/overview.ts';
import { overview as text } from '#messages/records/overview.ts';
import { ChartWithTable } from '#web/ui/chart/ChartWithTable.tsx';
import { formatDate } from '#web/ui/data/format.ts';
import styles from './overview.module.css';
import { lastDaysChart, paceChart, shortDay } from './sales-chart.ts';

const count = (number: number) => number.toLocaleString('en-US');
const noon = (day: string) => `${day}T12:00:00Z`;

export function PaceCard({ view }: { view: EventOverview }) {
  const { sold, offered, pace, days } = view;
  const { rows, ...chart } = paceChart(view);
  const since = formatDate(noon(days[0]?.day ?? ''), 'UTC');
  const summary = text.paceSummary({ sold, offered, since });
  return (
    <section className={styles.card} aria-labelledby="overview-pace">
      <h2 id="overview-pace">{text.paceTitle}</h2>
      <ChartWithTable
        {...chart}
        shape="line"
        summary={pace === null ? summary : `${summary} ${text.paceWords(pace, offered)}`}
        legend={
          <ul className={styles.legend} aria-hidden="true">
            <li data-line="sold">{text.legend.sold}</li>
            {pace !== null && <li data-line="pace">{text.legend.pace(pace)}</li>}
            {chart.limit !== undefined && <li data-line="limit">{text.legend.limit(offered)}</li>}
          </ul>
        }
        table={{
          caption: text.paceTable,
          columns: [
            { label: text.day, cell: ({ day }) => shortDay(day) },
            { label: text.soldThatDay, numeric: true, cell: (row) => count(row.sold) },
            { label: text.soldInAll, numeric: true, cell: ({ inAll }) => count(inAll) },
          ],
          rows: rows.filter((row) => row.sold !== 0),
          keyOf: ({ day }) => day,
        }}
      />
    </section>
  );
}

export function LastDaysCard({ view }: { view: EventOverview }) {
  const { rows, ...chart } = lastDaysChart(view);
  const total = rows.reduce((sum, { sold }) => sum + sold, 0);
  const best = rows.reduce((top, row) => (row.sold > top.sold ? row : top));
  return (
    <section className={styles.card} aria-labelledby="overview-days">
      <h2 id="overview-days">{text.weeksTitle}</h2>
      <ChartWithTable
        {...chart}
        shape="bars"
        summary={text.weeksSummary(total, best.sold > 0 ? text.bestDay(shortDay(best.day), best.sold) : null)}
        table={{
          caption: text.weeksTable,
          columns: [
            { label: text.day, cell: ({ day }) => shortDay(day) },
            { label: text.soldThatDay, numeric: true, cell: ({ sold }) => count(sold) },
          ],
          rows,
          keyOf: ({ day }) => day,
        }}
      />
    </section>
  );
}
