import { useId } from 'react';
import type { OrderDetails } from '#contract/app/sales/orders.ts';
import { guestDrawer as text } from '#messages/sales/guest-table.ts';
import { orderDrawer } from '#messages/sales/orders.ts';
import styles from '#web/shell/workspace/list/Drawer.module.css';
import { formatShort } from '#web/ui/data/format.ts';

type Happened = Omit<OrderDetails['timeline'][number], 'position'> & { position?: number | null };

/** What happened to a ticket or an order. */
export function Happenings({ timeline, timezone }: { timeline: readonly Happened[]; timezone: string }) {
  const headingId = useId();
  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <h3 id={headingId}>{text.timeline}</h3>
      <ol className={styles.timeline}>
        {timeline.map(({ what, at, by, position = null }) => (
          <li key={`${what} ${at} ${position}`}>
            <span>
              {orderDrawer.happened(text.happenings[what], position)}
              {by !== null && ` ${text.at(by)}`}
            </span>
            <time dateTime={at} className={styles.quiet}>
              {formatShort(at, timezone)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}
