import type { ReactNode } from 'react';
import type { PublicEvent } from '#contract/app/events.ts';
import { onSaleFrom } from '#messages/waiting-room.ts';
import { formatMoment } from '#web/ui/data/format.ts';
import styles from './on-sale.module.css';

/** Shown before the first poll, and rendered by the server. */
export function OnSaleCard({ event }: { event: PublicEvent }) {
  return (
    <SaleFrame title={event.buyersPerMinute ? 'Waiting room' : 'Sale'}>
      <p>
        <time dateTime={event.salesStartAt}>{onSaleFrom(formatMoment(event.salesStartAt ?? '', event.timezone))}</time>
      </p>
    </SaleFrame>
  );
}

interface SaleFrameProps {
  id?: string;
  title: string;
  /** The number or time in large type. */
  figure?: ReactNode;
  isHighlighted?: boolean;
  children: ReactNode;
}

export function SaleFrame({ id = 'on-sale', title, figure, isHighlighted = false, children }: SaleFrameProps) {
  return (
    <section className={isHighlighted ? `${styles.card} ${styles.highlighted}` : styles.card} aria-labelledby={id}>
      {/* The closed checkout button moves the focus here. */}
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {figure && <p className={styles.figure}>{figure}</p>}
      <div className={styles.text}>{children}</div>
    </section>
  );
}
