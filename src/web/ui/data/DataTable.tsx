import type { ReactNode } from 'react';
import { classNames } from '#web/ui/styles/class-names.ts';
import text from '#web/ui/styles/text.module.css';
import styles from './DataTable.module.css';

export interface Column<Row> {
  /** Column heading, and the label next to each value on phones. */
  label: string;
  cell: (row: Row) => ReactNode;
  numeric?: boolean;
  /** Visually hidden: a column of buttons needs no heading. */
  quiet?: boolean;
}

/** A table that becomes a list of cards on phones. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  className,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  className?: string | undefined;
}) {
  // Explicit roles, because `display: block` on phones removes the table semantics.
  return (
    <table className={classNames(styles.table, className)} role="table">
      <caption className={text.srOnly}>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ label, numeric, quiet }) => (
            <th key={label} scope="col" role="columnheader" className={numeric ? styles.numeric : undefined}>
              {quiet ? <span className={text.srOnly}>{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map(({ label, cell, numeric, quiet }) => (
              <td
                key={label}
                role="cell"
                data-label={quiet ? undefined : label}
                className={numeric ? styles.numeric : undefined}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
