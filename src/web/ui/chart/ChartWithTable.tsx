import { type ReactNode, useId } from 'react';
import { asTable } from '#messages/records/charts.ts';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { Chart, type ChartProps } from './Chart.tsx';
import styles from './ChartWithTable.module.css';

interface Twin<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/** What a chart shows in words, the chart, and the same as a table. */
export function ChartWithTable<Row>({
  summary,
  legend,
  table,
  ...chart
}: Omit<ChartProps, 'labelledBy'> & { summary: string; legend?: ReactNode; table: Twin<Row> }) {
  const id = useId();
  return (
    <>
      <p id={id} className={styles.summary}>
        {summary}
      </p>
      <Chart {...chart} labelledBy={id} />
      {legend}
      <details className={styles.twin}>
        <summary>{asTable}</summary>
        <DataTable {...table} />
      </details>
    </>
  );
}
