import type { OrganizerEvent } from '#contract/events.ts';
import { centsOf, formatCents } from '#domain/money.ts';
import { StatTile } from '#web/ui/StatTile.tsx';
import { ticketsOffered } from './event-figures.ts';
import styles from './ProfileScreen.module.css';

/** All events together. */
export function SalesTiles({ events }: { events: readonly OrganizerEvent[] }) {
  const sum = (figure: (event: OrganizerEvent) => number) => events.reduce((total, event) => total + figure(event), 0);
  const sold = sum((event) => event.ticketsSold);

  return (
    <div className={styles.tiles}>
      <StatTile
        label="Tickets sold"
        value={sold.toLocaleString('en-US')}
        note={`of ${sum(ticketsOffered).toLocaleString('en-US')}`}
      />
      <StatTile label="Grossed" value={formatCents(sum((event) => centsOf(event.gross) ?? 0))} note="before fees" />
      <StatTile
        label="Scanned"
        value={sum((event) => event.ticketsScanned).toLocaleString('en-US')}
        note={`of ${sold.toLocaleString('en-US')} sold`}
      />
    </div>
  );
}
