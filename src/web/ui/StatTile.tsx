import type { ReactNode } from 'react';
import styles from './StatTile.module.css';

/** One figure with its name. */
export function StatTile({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <dl className={styles.tile}>
      <dt>{label}</dt>
      <dd className={styles.value}>{value}</dd>
      {note && <dd className={styles.note}>{note}</dd>}
    </dl>
  );
}
