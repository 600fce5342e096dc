import styles from './door.module.css';

/** Decorative: the numbers next to it say the same. */
export function ProgressBar({ value, max }: { value: number; max: number }) {
  const percent = max > 0 ? Math.min(100, (value / max) * 100) : 0;
  return (
    <svg className={styles.progress} aria-hidden="true">
      <rect className={styles.progressTrack} width="100%" height="100%" />
      <rect className={styles.progressValue} width={`${percent}%`} height="100%" />
    </svg>
  );
}
