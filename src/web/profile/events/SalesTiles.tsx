import { formatDollars } from '#messages/format.ts';
import type { Profile } from '#web/profile/use-profile.ts';
import { StatTile, StatTiles } from '#web/ui/data/StatTile.tsx';

/** Totals of all events, also of those not loaded yet. */
export function SalesTiles({ ticketsOffered, ticketsSold, ticketsToScan, ticketsScanned, gross }: Profile['sales']) {
  return (
    <StatTiles label="Sales of all events" isSlim>
      <StatTile
        label="Tickets sold"
        value={ticketsSold.toLocaleString('en-US')}
        note={`of ${ticketsOffered.toLocaleString('en-US')}`}
      />
      {gross !== null && <StatTile label="Gross sales" value={formatDollars(gross)} note="before fees" />}
      <StatTile
        label="Checked in"
        value={ticketsScanned.toLocaleString('en-US')}
        note={`of ${ticketsToScan.toLocaleString('en-US')}`}
      />
    </StatTiles>
  );
}
