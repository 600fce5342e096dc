import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import text from '#web/ui/styles/text.module.css';
import skeleton from './EventSkeleton.module.css';
import styles from './event-page.module.css';

/** Uses the page's own grid, so that nothing jumps when the event loads. */
export function EventSkeleton() {
  return (
    <div className={classNames(styles.event, skeleton.loading)} aria-busy="true">
      <p className={text.srOnly} role="status">
        Loading event…
      </p>
      <div className={styles.head}>
        <div className={styles.media}>
          <Skeleton className={skeleton.mediaSkeleton} />
        </div>
        <Skeleton className={skeleton.titleSkeleton} />
        <Skeleton className={skeleton.lineSkeleton} />
        <Skeleton className={skeleton.infoSkeleton} />
        <Skeleton className={skeleton.infoSkeleton} />
      </div>
      <div className={styles.buy}>
        <Skeleton className={skeleton.stubSkeleton} />
        <Skeleton className={skeleton.stubSkeleton} />
      </div>
    </div>
  );
}
