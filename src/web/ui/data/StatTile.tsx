import type { ReactNode } from 'react';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './StatTile.module.css';

/** A row of tiles that wraps as needed. */
export function StatTiles({ label, isSlim, children }: { label: string; isSlim?: boolean; children: ReactNode }) {
  return (
    <section className={classNames(styles.tiles, isSlim && styles.slim)} aria-label={label}>
      {children}
    </section>
  );
}

export function StatTile({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <dl className={styles.tile}>
      <dt>{label}</dt>
      <dd className={styles.value}>{value}</dd>
      {note && <dd className={styles.note}>{note}</dd>}
    </dl>
  );
}
