import { useCallback, useState } from 'react';
import { type EventSales, eventSales } from '#contract/app/records/sales-report.ts';
import { type SalesSplit, salesSplits } from '#domain/reports/sales-report.ts';
import { addDays } from '#domain/sales/sales-days.ts';
import { formatCents } from '#messages/format.ts';
import { salesPage as text } from '#messages/records/sales-report.ts';
import { call } from '#web/api.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { ChartWithTable } from '#web/ui/chart/ChartWithTable.tsx';
import { ProgressBar } from '#web/ui/chart/ProgressBar.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { StatTile, StatTiles } from '#web/ui/data/StatTile.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { SelectField } from '#web/ui/form/fields.tsx';
import { usePolled } from '#web/ui/page/use-polled.ts';
import overview from '../overview.module.css';
import { shortDay } from '../sales-chart.ts';
import styles from './sales.module.css';
import { dayChart } from './sales-by-day.ts';

const POLL_MS = 60_000;
const DAYS = { all: null, 30: 30, 7: 7 } as const;

type PeriodName = keyof typeof DAYS;
type Figures = EventSales['totals'];

const isPeriod = (name: string): name is `${PeriodName}` => Object.hasOwn(DAYS, name);
const isSplit = (name: string): name is SalesSplit => salesSplits.some((split) => split === name);
const count = (number: number) => number.toLocaleString('en-US');

export function Sales({ eventId }: { eventId: string }) {
  const [period, setPeriod] = useState<`${PeriodName}`>('all');
  const [split, setSplit] = useState<SalesSplit>('type');
  const [today, setToday] = useState<string | null>(null);
  const days = DAYS[period];
  const from = days !== null && today !== null ? addDays(today, 1 - days) : undefined;
  const read = useCallback(
    async (signal: AbortSignal) => {
      const sales = await call(eventSales, { eventId, from, split }, { signal });
      setToday(sales.today);
      return { ...sales, split };
    },
    [eventId, from, split],
  );
  const { view, failure, refresh } = usePolled(read, POLL_MS);

  if (!view) {
    if (failure) return <NotLoaded {...failure} onRetry={async () => refresh()} />;
    return <Skeleton className={styles.loading} />;
  }
  if (!view.hasSales)
    return <EmptyState title={text.none} actions={<ButtonLink to={`/events/${eventId}`}>{text.share}</ButtonLink>} />;
  return (
    <div className={overview.overview}>
      {failure && <Banner kind="warning" title={text.notLoaded} />}
      <p className={overview.note}>{text.lead}</p>
      <div className={styles.filters}>
        <SelectField
          label={text.period}
          name="period"
          value={period}
          options={Object.entries(text.periods).map(([value, label]) => ({ value, label }))}
          onChange={({ target }) => isPeriod(target.value) && setPeriod(target.value)}
        />
        <SelectField
          label={text.split}
          name="split"
          value={split}
          options={salesSplits.map((value) => ({ value, label: text.splits[value] }))}
          onChange={({ target }) => isSplit(target.value) && setSplit(target.value)}
        />
      </div>
      <Totals view={view} />
      <Days view={view} />
      <Parts view={view} split={view.split} />
    </div>
  );
}

function Totals({ view: { totals, underWay } }: { view: EventSales }) {
  const { tickets, grossCents, discountCents, refundedTickets, refundedCents } = totals;
  return (
    <>
      <StatTiles label={text.figures}>
        <StatTile label={text.tickets} value={count(tickets)} />
        <StatTile label={text.gross} value={formatCents(grossCents)} />
        <StatTile label={text.discounts} value={formatCents(discountCents)} />
        <StatTile label={text.refunds} value={formatCents(refundedCents)} note={text.refundsNote(refundedTickets)} />
      </StatTiles>
      {underWay.tickets > 0 && <p className={overview.note}>{text.underWay(underWay)}</p>}
    </>
  );
}

const FIGURES: Column<Figures>[] = [
  { label: text.tickets, numeric: true, cell: ({ tickets }) => count(tickets) },
  { label: text.gross, numeric: true, cell: ({ grossCents }) => formatCents(grossCents) },
  { label: text.discounts, numeric: true, cell: ({ discountCents }) => formatCents(discountCents) },
  { label: text.refundedTickets, numeric: true, cell: ({ refundedTickets }) => count(refundedTickets) },
  { label: text.refunds, numeric: true, cell: ({ refundedCents }) => formatCents(refundedCents) },
];

function Days({ view: { days, totals } }: { view: EventSales }) {
  const chart = dayChart(days);
  const rows = days.filter(
    ({ tickets, refundedTickets, refundedCents }) => tickets + refundedTickets + refundedCents > 0,
  );
  return (
    <section className={overview.card} aria-labelledby="sales-days">
      <h2 id="sales-days">{text.dayTitle}</h2>
      <ChartWithTable
        {...chart}
        shape="bars"
        summary={text.daySummary(totals.tickets, formatCents(totals.grossCents), days.length)}
        table={{
          caption: text.dayTable,
          columns: [{ label: text.day, cell: ({ day }: EventSales['days'][number]) => shortDay(day) }, ...FIGURES],
          rows,
          keyOf: ({ day }) => day,
        }}
      />
    </section>
  );
}

type Part = EventSales['parts'][number];

function Parts({ view: { parts }, split }: { view: EventSales; split: SalesSplit }) {
  const most = Math.max(1, ...parts.map(({ tickets }) => tickets));
  const name: Column<Part> = {
    label: text.splits[split],
    cell: (part) => (
      <span className={styles.part}>
        {part.name}
        <ProgressBar value={part.tickets} max={most} tone="sold" className={styles.bar} />
      </span>
    ),
  };
  return (
    <section className={overview.card} aria-labelledby="sales-parts">
      <h2 id="sales-parts">{text.partTitle(split)}</h2>
      {parts.length === 0 ? (
        <p className={overview.note}>{text.noParts}</p>
      ) : (
        <DataTable
          caption={text.partTable(split)}
          columns={[name, ...FIGURES]}
          rows={parts}
          keyOf={({ id }) => id ?? 'none'}
        />
      )}
    </section>
  );
}
