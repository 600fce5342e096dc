import { useId } from 'react';
import type { TicketType } from '#contract/events.ts';
import { EXACT_AVAILABILITY_MAX } from '#domain/availability.ts';
import { centsOf, formatCents } from '#domain/money.ts';
import { Button } from '#web/ui/Button.tsx';
import { Chip } from '#web/ui/Chip.tsx';
import { TicketStub } from '#web/ui/TicketStub.tsx';
import styles from './event-page.module.css';

export function TicketList({
  tickets,
  onAdd,
}: {
  tickets: readonly TicketType[];
  onAdd: (ticket: TicketType) => void;
}) {
  return (
    <section className={styles.tickets} aria-labelledby="tickets">
      <h2 id="tickets">Tickets</h2>
      <ul className={styles.stubs}>
        {tickets.map((ticket) => (
          <li key={ticket.ticketId}>
            <TicketRow ticket={ticket} onAdd={() => onAdd(ticket)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `Add to Cart` always stands there; sold out, it says why it does nothing. */
function TicketRow({ ticket, onAdd }: { ticket: TicketType; onAdd: () => void }) {
  const isSoldOut = ticket.available <= 0;
  const nameId = useId();
  const reasonId = useId();

  return (
    <TicketStub
      action={
        <Button
          className={styles.add}
          aria-disabled={isSoldOut || undefined}
          aria-describedby={isSoldOut ? `${nameId} ${reasonId}` : nameId}
          onClick={isSoldOut ? undefined : onAdd}
        >
          Add to Cart
        </Button>
      }
    >
      <h3 id={nameId} className={styles.ticketName}>
        {ticket.ticketName}
      </h3>
      <p className={styles.aside}>{ticket.ticketDescription}</p>
      <p className={styles.price}>
        <strong>{priceInWords(ticket)}</strong>
        {availabilityChip(ticket)}
      </p>
      {isSoldOut && (
        <p id={reasonId} className={styles.aside}>
          All of these tickets are taken.
        </p>
      )}
    </TicketStub>
  );
}

function priceInWords({ ticketPrice }: TicketType): string {
  return ticketPrice === 0 ? 'Free' : formatCents(centsOf(ticketPrice) ?? 0);
}

function availabilityChip({ available }: TicketType) {
  if (available <= 0) return <Chip tone="off">Sold out</Chip>;
  if (available <= EXACT_AVAILABILITY_MAX) return <Chip tone="few">{available} left</Chip>;
  return <Chip tone="ok">Available</Chip>;
}
