import type { ReactNode } from 'react';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './TicketStub.module.css';

/** A landscape ticket: content left of the perforation, actions right. */
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
