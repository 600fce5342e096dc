import { useState } from 'react';
import type { OrganizerEvent } from '#contract/events.ts';
import { type Guest, resendTicket, ticketResent } from '#contract/guests.ts';
import { call, messageFrom } from '#web/api.ts';
import { Button } from '#web/ui/Button.tsx';
import { Chip } from '#web/ui/Chip.tsx';
import { TextField } from '#web/ui/fields.tsx';
import text from '#web/ui/text.module.css';
import { toast } from '#web/ui/toast.ts';
import styles from './GuestList.module.css';
import { useGuests } from './use-guests.ts';

export function GuestList({ event }: { event: OrganizerEvent }) {
  const { query, setQuery, guests, hasMore, loadMore, isLoading } = useGuests(event);

  return (
    <div className={styles.list}>
      <TextField
        label="Search guests"
        name="q"
        type="search"
        className={styles.search}
        placeholder="Email or confirmation number"
        autoComplete="off"
        value={query}
        onChange={(change) => setQuery(change.target.value)}
      />
      {guests.length === 0 ? (
        <p role="status">{query ? 'No guest matches.' : 'No tickets sold yet.'}</p>
      ) : (
        <table className={styles.table}>
          <caption className={text.srOnly}>Guests of {event.title}</caption>
          <thead>
            <tr>
              <th scope="col">Email</th>
              <th scope="col">Confirmation number</th>
              <th scope="col">Ticket</th>
              <th scope="col">Ticket scanned</th>
              <th scope="col">
                <span className={text.srOnly}>Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {guests.map((guest) => (
              <GuestRow key={guest.confirmationNumber} guest={guest} />
            ))}
          </tbody>
        </table>
      )}
      {hasMore && (
        <Button kind="ghost" busy={isLoading} onClick={loadMore}>
          Load more
        </Button>
      )}
    </div>
  );
}

function GuestRow({ guest }: { guest: Guest }) {
  const [isResending, setIsResending] = useState(false);

  async function resend() {
    setIsResending(true);
    try {
      await call(resendTicket, { email: guest.email, confirmationNumber: guest.confirmationNumber });
      toast.success(ticketResent);
    } catch (error) {
      toast.error(messageFrom(error, 'Error resending ticket'));
    }
    setIsResending(false);
  }

  return (
    <tr>
      <td data-label="Email">{guest.email}</td>
      <td data-label="Confirmation number" className={styles.number}>
        {guest.confirmationNumber}
      </td>
      <td data-label="Ticket">{guest.ticketName}</td>
      <td data-label="Ticket scanned">
        <Chip tone={guest.ticketScanned ? 'ok' : 'off'}>{guest.ticketScanned ? 'Yes' : 'No'}</Chip>
      </td>
      <td>
        <Button kind="ghost" busy={isResending} onClick={resend}>
          Resend Ticket
        </Button>
      </td>
    </tr>
  );
}
