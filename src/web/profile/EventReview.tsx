import { quantityOf } from '#contract/event-form.ts';
import { centsOf, formatCents } from '#domain/money.ts';
import { PROCESSING_FEE_CENTS } from '#domain/plan.ts';
import styles from './EventForm.module.css';
import { EventFormSection } from './EventFormSection.tsx';
import { expectedTickets, receivedCents } from './ticket-fee-words.ts';
import type { EventDraft } from './use-event-draft.ts';

/** What the numbers come to, before anything is sent. */
export function EventReview({ event }: { event: EventDraft }) {
  const participants = expectedTickets(event.text('participants'));
  const rows = event.ticketKeys.map((_, row) => ({
    priceCents: centsOf(event.text(`tickets.${row}.ticketPrice`)) ?? 0,
    quantity: quantityOf(event.text(`tickets.${row}.ticketQuantity`)) ?? 0,
  }));
  const tickets = rows.reduce((sum, row) => sum + row.quantity, 0);
  const gross = rows.reduce((sum, row) => sum + row.quantity * row.priceCents, 0);
  const received = rows.reduce((sum, row) => sum + row.quantity * receivedCents(row.priceCents, participants), 0);
  const payout = Math.max(0, received - PROCESSING_FEE_CENTS);

  return (
    <EventFormSection title="Review">
      <dl className={styles.review}>
        <div>
          <dt>Event</dt>
          <dd>{event.text('title') || 'No title yet'}</dd>
        </div>
        <div>
          <dt>Tickets on sale</dt>
          <dd>{tickets.toLocaleString('en-US')}</dd>
        </div>
        <div>
          <dt>If all are sold</dt>
          <dd>{formatCents(gross)}</dd>
        </div>
        <div>
          <dt>You receive at most</dt>
          <dd>{formatCents(payout)}</dd>
        </div>
      </dl>
      <p className={styles.fee}>
        After ticket fees and the processing fee of {formatCents(PROCESSING_FEE_CENTS)} an event, unless it is waived.
      </p>
    </EventFormSection>
  );
}
