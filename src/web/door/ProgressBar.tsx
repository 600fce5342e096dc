import styles from './door.module.css';

/** Only repeats what the numbers beside it say. */
export function ShareBar({ part, whole }: { part: number; whole: number }) {
  const percent = whole > 0 ? Math.min(100, (part / whole) * 100) : 0;
  return (
    <svg className={styles.share} aria-hidden="true">
      <rect className={styles.shareWhole} width="100%" height="100%" />
      <rect className={styles.sharePart} width={`${percent}%`} height="100%" />
    </svg>
  );
}
