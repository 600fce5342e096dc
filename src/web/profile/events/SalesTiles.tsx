import type { OrganizerEvent } from '#contract/app/events.ts';
import { formatDollars } from '#domain/money.ts';
import { StatTile, StatTiles } from '#web/ui/data/StatTile.tsx';
import { ticketsOffered } from './event-totals.ts';

/** Totals of all events. */
export function SalesTiles({ events }: { events: readonly OrganizerEvent[] }) {
  const sum = (valueOf: (event: OrganizerEvent) => number) =>
    events.reduce((total, event) => total + valueOf(event), 0);
  const sold = sum((event) => event.ticketsSold);

  return (
    <StatTiles label="Sales of all events">
      <StatTile
        label="Tickets sold"
        value={sold.toLocaleString('en-US')}
        note={`of ${sum(ticketsOffered).toLocaleString('en-US')}`}
      />
      <StatTile label="Gross sales" value={formatDollars(sum((event) => event.gross))} note="before fees" />
      <StatTile
        label="Checked in"
        value={sum((event) => event.ticketsScanned).toLocaleString('en-US')}
        note={`of ${sold.toLocaleString('en-US')}`}
      />
    </StatTiles>
  );
}
