import { classNames } from '#web/ui/class-names.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import text from '#web/ui/text.module.css';
import styles from './event-page.module.css';

/** The page's own grid with nothing in it yet, so that nothing jumps when the event arrives. */
export function EventSkeleton() {
  return (
    <div className={classNames(styles.event, styles.waiting)} aria-busy="true">
      <p className={text.srOnly} role="status">
        Loading the event…
      </p>
      <div className={styles.head}>
        <div className={styles.media}>
          <Skeleton className={styles.mediaSkeleton} />
        </div>
        <Skeleton className={styles.titleSkeleton} />
        <Skeleton className={styles.lineSkeleton} />
        <Skeleton className={styles.factSkeleton} />
        <Skeleton className={styles.factSkeleton} />
      </div>
      <div className={styles.buy}>
        <Skeleton className={styles.stubSkeleton} />
        <Skeleton className={styles.stubSkeleton} />
      </div>
    </div>
  );
}
