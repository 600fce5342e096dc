import { type Ref, useId, useRef } from 'react';
import type { PublicEvent, TicketType } from '#contract/app/events.ts';
import { FEW_LEFT_MAX, leftAtMost } from '#domain/availability.ts';
import { centsOf } from '#domain/money.ts';
import { isNamedPrice, isPaused, isSoldOut } from '#domain/order.ts';
import { formatCents } from '#messages/format.ts';
import {
  accessNotes,
  addOnNote,
  askOrganizer,
  leastPrice,
  onSaleAfter,
  onSaleUntil,
  paidSalesPaused,
  salesEnded,
  salesPaused,
  yourPrice,
} from '#messages/sales/event-page.ts';
import { eventLimit, namedPriceLimits, orderLimits, tooFewLeft } from '#messages/sales/order-limits.ts';
import { notOnSaleYet, onSaleFrom } from '#messages/waiting-room.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { formatMoment } from '#web/ui/data/format.ts';
import text from '#web/ui/styles/text.module.css';
import { TicketStub } from '#web/ui/ticket/TicketStub.tsx';
import { type CartLine, listCents, type ShownTicket } from './cart/cart.ts';
import styles from './event-page.module.css';

export function TicketList({
  tickets,
  event,
  startsAt,
  onAdd,
  onProblem,
  cart,
}: {
  tickets: readonly ShownTicket[];
  event: Sale;
  /** When sales start, formatted, while tickets cannot be chosen yet; null once they can. */
  startsAt: string | null;
  /** With the price, if the buyer names it. */
  onAdd: (ticket: TicketType, namedCents?: number) => void;
  /** Tells the buyer what is wrong with the price that they named. */
  onProblem: (msg: string) => void;
  cart: readonly CartLine[];
}) {
  return (
    <section className={styles.tickets} aria-labelledby="tickets">
      <h2 id="tickets">Tickets</h2>
      {event.maxPerOrder !== undefined && (
        <p className={styles.aside}>
          {eventLimit(
            event.maxPerOrder,
            tickets.some(({ isAddOn }) => isAddOn),
          )}
        </p>
      )}
      <ul className={styles.stubs}>
        {tickets.map((ticket) => (
          <li key={ticket.ticketId}>
            <TicketRow
              ticket={ticket}
              event={event}
              awaited={tickets.find(({ ticketId }) => ticketId === ticket.opensAfter)}
              startsAt={startsAt}
              chosenCents={cart.find(({ ticketId }) => ticketId === ticket.ticketId)?.namedCents}
              onAdd={(namedCents) => onAdd(ticket, namedCents)}
              onProblem={onProblem}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

type Sale = Pick<PublicEvent, 'eventId' | 'timezone' | 'salesStartAt' | 'maxPerOrder' | 'pausedSales'>;

interface TicketRowProps {
  ticket: ShownTicket;
  event: Sale;
  /** The type that this one opens after. */
  awaited: TicketType | undefined;
  startsAt: string | null;
  /** The price that the buyer has named. */
  chosenCents: number | undefined;
  onAdd: (namedCents?: number) => void;
  onProblem: (msg: string) => void;
}

/** `Add to Cart` is always there; when disabled, the row says why. */
function TicketRow({ ticket, event, awaited, startsAt, chosenCents, onAdd, onProblem }: TicketRowProps) {
  const pausedSales = event.pausedSales ?? null;
  const unavailable = isPaused(pausedSales, listCents(ticket))
    ? PAUSED
    : unavailability(ticket, event, awaited, startsAt);
  const limits = orderLimits(ticket);
  const nameId = useId();
  const reasonId = useId();
  const amount = useRef<HTMLInputElement>(null);

  function addNamed() {
    const cents = centsOf(amount.current?.value ?? '') ?? undefined;
    if (isPaused(pausedSales, cents ?? 0)) return onProblem(paidSalesPaused);
    if (isNamedPrice(cents, listCents(ticket))) return onAdd(cents);
    onProblem(namedPriceLimits({ name: ticket.ticketName, minCents: listCents(ticket) }));
    amount.current?.focus();
  }

  return (
    <TicketStub
      action={
        <Button
          className={styles.add}
          aria-disabled={unavailable !== null || undefined}
          aria-describedby={unavailable ? `${nameId} ${reasonId}` : nameId}
          onClick={unavailable ? undefined : ticket.hasNamedPrice ? addNamed : () => onAdd()}
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
        {ticket.promoCents !== undefined && (
          <s>
            <span className={text.srOnly}>was </span>
            {priceLabel(listCents(ticket))}
          </s>
        )}
        {ticket.hasNamedPrice ? (
          <NamedPrice key={chosenCents} ticket={ticket} cents={chosenCents ?? suggestedCents(ticket)} ref={amount} />
        ) : (
          <strong>{priceLabel(ticket.promoCents ?? listCents(ticket))}</strong>
        )}
        {unavailable ? <Chip tone="off">{unavailable.chip}</Chip> : availabilityChip(ticket)}
      </p>
      {ticket.isAddOn && <p className={styles.aside}>{addOnNote}</p>}
      {ticket.access && (
        <p className={styles.aside}>
          {accessNotes[ticket.access]}
          <a href={`/contact/${event.eventId}`}>{askOrganizer}</a>
        </p>
      )}
      {limits && <p className={styles.aside}>{limits}</p>}
      {!unavailable && ticket.salesUntil && (
        <p className={styles.aside}>{onSaleUntil(formatMoment(ticket.salesUntil, event.timezone))}</p>
      )}
      {unavailable && (
        <p id={reasonId} className={styles.aside}>
          {unavailable.reason}
        </p>
      )}
    </TicketStub>
  );
}

/** With the least amount below it. */
function NamedPrice({ ticket, cents, ref }: { ticket: TicketType; cents: number; ref: Ref<HTMLInputElement> }) {
  const id = useId();
  return (
    <span className={styles.named}>
      <label htmlFor={id}>{yourPrice(ticket.ticketName)}</label>
      <input
        id={id}
        ref={ref}
        inputMode="decimal"
        autoComplete="off"
        aria-describedby={`${id}-least`}
        defaultValue={(cents / 100).toFixed(2)}
      />
      <span id={`${id}-least`} className={styles.aside}>
        {leastPrice(listCents(ticket))}
      </span>
    </span>
  );
}

const suggestedCents = ({ suggestedPrice, ticketPrice }: TicketType): number =>
  centsOf(suggestedPrice ?? ticketPrice) ?? 0;

const priceLabel = (cents: number): string => (cents === 0 ? 'Free' : formatCents(cents));

const PAUSED = { chip: salesPaused, reason: `${salesPaused}.` };

function unavailability(
  ticket: TicketType,
  { timezone, salesStartAt }: Sale,
  awaited: TicketType | undefined,
  startsAt: string | null,
): { chip: string; reason: string } | null {
  const { available, closed, salesFrom } = ticket;
  if (closed === 'over') return { chip: salesEnded, reason: `${salesEnded}.` };
  if (available <= 0) return { chip: 'Sold out', reason: 'Sold out.' };
  if (isSoldOut(leftAtMost(available), ticket)) return { chip: 'Sold out', reason: tooFewLeft(ticket) };
  if (closed === 'waits') return { chip: notOnSaleYet, reason: onSaleAfter(awaited?.ticketName ?? '') };
  if (closed === 'not-yet') {
    const from = laterOf(salesFrom, salesStartAt);
    return { chip: notOnSaleYet, reason: onSaleFrom(formatMoment(from, timezone)) };
  }
  return startsAt === null ? null : { chip: notOnSaleYet, reason: onSaleFrom(startsAt) };
}

/** Both in UTC, so that their texts sort like the times. */
const laterOf = (one = '', other = '') => (one > other ? one : other);

function availabilityChip({ available }: TicketType) {
  if (available <= FEW_LEFT_MAX) return <Chip tone="few">{available} left</Chip>;
  return <Chip tone="ok">Available</Chip>;
}
