import type { ReactNode } from 'react';
import type { PublicEvent } from '#contract/events.ts';
import { onSaleFrom } from '#contract/waiting-room-words.ts';
import { formatMoment } from '#web/ui/data/format.ts';
import styles from './on-sale.module.css';

/** What is known before the browser has asked: also what the server draws. */
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
  title: string;
  /** The number or the time that matters, in large. */
  figure?: ReactNode;
  isTurn?: boolean;
  children: ReactNode;
}

export function SaleFrame({ title, figure, isTurn = false, children }: SaleFrameProps) {
  return (
    <section className={isTurn ? `${styles.card} ${styles.turn}` : styles.card} aria-labelledby="on-sale">
      {/* The checkout's button leads here while it is closed. */}
      <h2 id="on-sale" tabIndex={-1}>
        {title}
      </h2>
      {figure && <p className={styles.figure}>{figure}</p>}
      <div className={styles.words}>{children}</div>
    </section>
  );
}
