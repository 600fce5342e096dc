import type { ImportPreview } from '#contract/app/sales/import-guests.ts';
import { rowProblem, importPage as text } from '#messages/sales/import-guests.ts';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { CompGuest } from '../CompGuest.tsx';
import styles from '../comps.module.css';

type Row = ImportPreview['sample'][number] & { index: number };

const columns: Column<Row>[] = [
  { label: text.guest, cell: (row) => <CompGuest {...row} /> },
  { label: text.type, cell: ({ ticketName }) => ticketName },
  { label: text.quantity, cell: ({ quantity }) => quantity, numeric: true },
];

/** What the import would do, and all that stands in its way. */
export function Preview({
  preview: { guests, tickets, unaddressed, sample, problems, short },
}: {
  preview: ImportPreview;
}) {
  const rows = new Set(problems.map(({ row }) => row)).size;
  return (
    <>
      {rows > 0 && (
        <Banner kind="error" role="alert" title={text.problems(rows)}>
          {/* Scrolls, so the keyboard must reach it. */}
          <ul className={styles.problems} tabIndex={0} aria-label={text.problems(rows)}>
            {problems.map((problem) => (
              <li key={`${problem.row} ${problem.reason}`}>{rowProblem(problem)}</li>
            ))}
          </ul>
        </Banner>
      )}
      {rows === 0 && short.length > 0 && (
        <Banner kind="warning">
          {short.map((type) => (
            <p key={type.ticketName}>{text.short(type)}</p>
          ))}
        </Banner>
      )}
      {guests > 0 && (
        <>
          <p role="status">
            {text.found(guests, tickets)}
            {unaddressed > 0 && `. ${text.unaddressed(unaddressed)}`}
          </p>
          <DataTable
            caption={text.preview}
            columns={columns}
            rows={sample.map((row, index) => ({ ...row, index }))}
            keyOf={({ index }) => String(index)}
          />
        </>
      )}
    </>
  );
}
