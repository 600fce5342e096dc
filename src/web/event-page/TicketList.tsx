import { useId } from 'react';
import type { PublicEvent, TicketType } from '#contract/app/events.ts';
import { FEW_LEFT_MAX } from '#domain/availability.ts';
import { centsOf, formatCents } from '#domain/money.ts';
import { isPaused } from '#domain/order.ts';
import { onSaleUntil, orderLimits, salesEnded, salesPaused } from '#messages/sales/event-page.ts';
import { notOnSaleYet, onSaleFrom } from '#messages/waiting-room.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { formatMoment } from '#web/ui/data/format.ts';
import { TicketStub } from '#web/ui/ticket/TicketStub.tsx';
import styles from './event-page.module.css';

export function TicketList({
  tickets,
  pausedSales,
  timezone,
  startsAt,
  onAdd,
}: {
  tickets: readonly TicketType[];
  pausedSales: PublicEvent['pausedSales'];
  timezone: string;
  /** When sales start, formatted, while tickets cannot be chosen yet; null once they can. */
  startsAt: string | null;
  onAdd: (ticket: TicketType) => void;
}) {
  return (
    <section className={styles.tickets} aria-labelledby="tickets">
      <h2 id="tickets">Tickets</h2>
      <ul className={styles.stubs}>
        {tickets.map((ticket) => (
          <li key={ticket.ticketId}>
            <TicketRow
              ticket={ticket}
              isPaused={isPaused(pausedSales ?? null, centsOf(ticket.ticketPrice) ?? 0)}
              timezone={timezone}
              startsAt={startsAt}
              onAdd={() => onAdd(ticket)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface TicketRowProps {
  ticket: TicketType;
  isPaused: boolean;
  timezone: string;
  startsAt: string | null;
  onAdd: () => void;
}

/** `Add to Cart` is always there; when disabled, the row says why. */
function TicketRow({ ticket, isPaused: isTypePaused, timezone, startsAt, onAdd }: TicketRowProps) {
  const unavailable = isTypePaused ? PAUSED : unavailability(ticket, timezone, startsAt);
  const limits = orderLimits(ticket);
  const nameId = useId();
  const reasonId = useId();

  return (
    <TicketStub
      action={
        <Button
          className={styles.add}
          aria-disabled={unavailable !== null || undefined}
          aria-describedby={unavailable ? `${nameId} ${reasonId}` : nameId}
          onClick={unavailable ? undefined : onAdd}
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
        <strong>{priceLabel(ticket)}</strong>
        {unavailable ? <Chip tone="off">{unavailable.chip}</Chip> : availabilityChip(ticket)}
      </p>
      {limits && <p className={styles.aside}>{limits}</p>}
      {!unavailable && ticket.salesUntil && (
        <p className={styles.aside}>{onSaleUntil(formatMoment(ticket.salesUntil, timezone))}</p>
      )}
      {unavailable && (
        <p id={reasonId} className={styles.aside}>
          {unavailable.reason}
        </p>
      )}
    </TicketStub>
  );
}

function priceLabel({ ticketPrice }: TicketType): string {
  return ticketPrice === 0 ? 'Free' : formatCents(centsOf(ticketPrice) ?? 0);
}

const PAUSED = { chip: salesPaused, reason: `${salesPaused}.` };

function unavailability(
  { available, closed, salesFrom = '' }: TicketType,
  timezone: string,
  startsAt: string | null,
): { chip: string; reason: string } | null {
  if (closed === 'over') return { chip: salesEnded, reason: `${salesEnded}.` };
  if (available <= 0) return { chip: 'Sold out', reason: 'Sold out.' };
  if (closed === 'not-yet') return { chip: notOnSaleYet, reason: onSaleFrom(formatMoment(salesFrom, timezone)) };
  return startsAt === null ? null : { chip: notOnSaleYet, reason: onSaleFrom(startsAt) };
}

function availabilityChip({ available }: TicketType) {
  if (available <= FEW_LEFT_MAX) return <Chip tone="few">{available} left</Chip>;
  return <Chip tone="ok">Available</Chip>;
}
