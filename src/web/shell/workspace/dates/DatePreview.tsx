import type { PlannedDate } from '#domain/series/recurrence.ts';
import { addDatesText as text } from '#messages/series/add-dates.ts';
import { IconButton } from '#web/ui/button/IconButton.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { clockTime, written } from '#web/ui/data/format.ts';
import styles from './add-dates.module.css';

export interface PreviewedDate extends PlannedDate {
  day: string;
  /** Its time was chosen for itself. */
  isChanged: boolean;
}

interface DatePreviewProps {
  rows: readonly PreviewedDate[];
  timezone: string;
  onDrop: (day: string) => void;
  onRetime: (day: string, time: string) => void;
}

/** Every date with what is to know about it. One that can't be added gets another time, or is dropped. */
export function DatePreview({ rows, timezone, onDrop, onRetime }: DatePreviewProps) {
  if (rows.length === 0) return null;
  const columns: Column<PreviewedDate>[] = [
    { label: text.date, cell: ({ day }) => dayName(day) },
    {
      label: text.time,
      cell: ({ day, start, startsAt, endsAt, denial, isChanged }) =>
        (denial || isChanged) && denial !== 'date-twice' ? (
          <input
            type="time"
            className={styles.time}
            aria-label={text.timeOn(dayName(day))}
            aria-invalid={denial !== null || undefined}
            value={start.slice(11)}
            onChange={({ target }) => onRetime(day, target.value)}
          />
        ) : (
          startsAt && endsAt && `${clockTime(startsAt, timezone)} – ${clockTime(endsAt, timezone)}`
        ),
    },
    {
      label: text.note,
      cell: ({ denial, isInDoubledHour }) =>
        denial ? <strong className={styles.denial}>{text.notes[denial]}</strong> : isInDoubledHour && text.doubled,
    },
    {
      label: text.dropColumn,
      quiet: true,
      cell: ({ day }) => <IconButton icon="close" label={text.drop(dayName(day))} onClick={() => onDrop(day)} />,
    },
  ];
  return (
    <DataTable caption={text.preview} columns={columns} rows={rows} keyOf={({ day }) => day} className={styles.table} />
  );
}

/** `Fri, Dec 11, 2026` */
const dayName = (day: string) =>
  written(`${day}T00:00Z`, { timeZone: 'UTC', weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });
