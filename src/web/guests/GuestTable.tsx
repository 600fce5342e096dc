import { Link, type To } from 'react-router';
import type { ListedGuest } from '#contract/app/sales/guest-table.ts';
import { compMark } from '#messages/guests.ts';
import { guestDrawer, guestTablePage as text } from '#messages/sales/guest-table.ts';
import { TicketChip } from '#web/shell/workspace/list/TicketChip.tsx';
import type { PagedRows } from '#web/shell/workspace/list/use-paged-list.ts';
import { type Opener, WindowTable } from '#web/shell/workspace/list/WindowTable.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import styles from './guests.module.css';

interface GuestTableProps {
  caption: string;
  list: PagedRows<ListedGuest>;
  timezone: string;
  /** The guest whose drawer is open. */
  openId: string | null;
  addressOf: (ticketId: string) => To;
}

export function GuestTable({ caption, list, timezone, openId, addressOf }: GuestTableProps) {
  return (
    <WindowTable
      caption={caption}
      columns={[text.name, text.ticket, text.number, text.state]}
      list={list}
      rowClass={styles.row}
      isOpen={({ ticketId }) => ticketId === openId}
    >
      {(guest, opener) => (
        <GuestCells guest={guest} timezone={timezone} address={addressOf(guest.ticketId)} opener={opener} />
      )}
    </WindowTable>
  );
}

interface GuestCellsProps {
  guest: ListedGuest;
  timezone: string;
  address: To;
  opener: Opener;
}

function GuestCells({ guest, timezone, address, opener }: GuestCellsProps) {
  const { name, email, ticketName, confirmationNumber, channel } = guest;
  return (
    <>
      <span role="cell" className={styles.who}>
        <Link to={address} state={{ keepsScroll: true, isOverList: true }} {...opener}>
          {name ?? (email || text.deleted)}
        </Link>
        {name !== null && <span className={styles.email}>{email || guestDrawer.noEmail}</span>}
      </span>
      <span role="cell" className={styles.ticket}>
        <span className={styles.clipped}>{ticketName}</span>
        {channel !== 'online' && <Chip>{compMark}</Chip>}
      </span>
      <span role="cell" className={styles.number}>
        {text.ends(confirmationNumber.slice(-4))}
      </span>
      <span role="cell" className={styles.state}>
        <TicketChip ticket={guest} timezone={timezone} />
      </span>
    </>
  );
}
