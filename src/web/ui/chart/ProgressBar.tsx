import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './ProgressBar.module.css';

/** Decorative: the numbers next to it say the same. */
export function ProgressBar({
  value,
  max,
  tone = 'done',
  className,
}: {
  value: number;
  max: number;
  tone?: 'done' | 'sold';
  className?: string | undefined;
}) {
  const percent = max > 0 ? Math.min(100, (value / max) * 100) : 0;
  return (
    <svg className={classNames(styles.progress, className)} aria-hidden="true">
      <rect className={styles.track} width="100%" height="100%" />
      <rect className={styles[tone]} width={`${percent}%`} height="100%" />
    </svg>
  );
}
