import type { ReactNode } from 'react';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './TicketStub.module.css';

/** A ticket lying down: what it is at the left of the tear, what to do with it at the right. */
export function TicketStub({
  action,
  className,
  children,
}: {
  action: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className={classNames(styles.shadow, className)}>
      <div className={styles.stub}>
        <div className={styles.body}>{children}</div>
        <div className={styles.tail}>{action}</div>
      </div>
    </div>
  );
}
