import { useId } from 'react';
import type { TicketType } from '#contract/events.ts';
import { notOnSaleYet, onSaleFrom } from '#contract/waiting-room-words.ts';
import { EXACT_AVAILABILITY_MAX } from '#domain/availability.ts';
import { centsOf, formatCents } from '#domain/money.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { TicketStub } from '#web/ui/ticket/TicketStub.tsx';
import styles from './event-page.module.css';

export function TicketList({
  tickets,
  startsAt,
  onAdd,
}: {
  tickets: readonly TicketType[];
  /** When sales start, written for the buyer, while tickets cannot be chosen yet. */
  startsAt: string | null;
  onAdd: (ticket: TicketType) => void;
}) {
  return (
    <section className={styles.tickets} aria-labelledby="tickets">
      <h2 id="tickets">Tickets</h2>
      <ul className={styles.stubs}>
        {tickets.map((ticket) => (
          <li key={ticket.ticketId}>
            <TicketRow ticket={ticket} startsAt={startsAt} onAdd={() => onAdd(ticket)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface TicketRowProps {
  ticket: TicketType;
  startsAt: string | null;
  onAdd: () => void;
}

/** `Add to Cart` always stands there; where it does nothing, it says why. */
function TicketRow({ ticket, startsAt, onAdd }: TicketRowProps) {
  const closed = closedBecause(ticket, startsAt);
  const nameId = useId();
  const reasonId = useId();

  return (
    <TicketStub
      action={
        <Button
          className={styles.add}
          aria-disabled={closed !== null || undefined}
          aria-describedby={closed ? `${nameId} ${reasonId}` : nameId}
          onClick={closed ? undefined : onAdd}
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
        {closed ? <Chip tone="off">{closed.chip}</Chip> : availabilityChip(ticket)}
      </p>
      {closed && (
        <p id={reasonId} className={styles.aside}>
          {closed.reason}
        </p>
      )}
    </TicketStub>
  );
}

function priceInWords({ ticketPrice }: TicketType): string {
  return ticketPrice === 0 ? 'Free' : formatCents(centsOf(ticketPrice) ?? 0);
}

function closedBecause({ available }: TicketType, startsAt: string | null): { chip: string; reason: string } | null {
  if (available <= 0) return { chip: 'Sold out', reason: 'All of these tickets are taken.' };
  return startsAt === null ? null : { chip: notOnSaleYet, reason: onSaleFrom(startsAt) };
}

function availabilityChip({ available }: TicketType) {
  if (available <= EXACT_AVAILABILITY_MAX) return <Chip tone="few">{available} left</Chip>;
  return <Chip tone="ok">Available</Chip>;
}
