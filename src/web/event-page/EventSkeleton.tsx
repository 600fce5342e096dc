import { Skeleton } from '#web/ui/Skeleton.tsx';
import styles from './event-page.module.css';

/** The page's own grid with nothing in it yet, so that nothing jumps when the event arrives. */
export function EventSkeleton() {
  return (
    <div className={styles.event} aria-busy="true">
      <h1 className={styles.hidden} tabIndex={-1}>
        Loading the event
      </h1>
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
