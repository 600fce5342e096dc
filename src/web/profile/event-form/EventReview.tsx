import { quantityOf } from '#contract/forms/ticket-types.ts';
import type { FeeTerms } from '#domain/fees.ts';
import { centsOf } from '#domain/money.ts';
import { formatCents } from '#messages/format.ts';
import form from './EventForm.module.css';
import { EventFormSection } from './EventFormSection.tsx';
import { soldOutStatement } from './ticket-fee-messages.ts';
import styles from './totals.module.css';
import type { EventDraft } from './use-event-draft.ts';

/** Totals of the event before it is created. */
export function EventReview({ event, terms }: { event: EventDraft; terms: FeeTerms }) {
  const sales = event.ticketKeys.map((_, row) => ({
    priceCents: centsOf(event.text(`tickets.${row}.ticketPrice`)) ?? 0,
    tickets: quantityOf(event.text(`tickets.${row}.ticketQuantity`)) ?? 0,
  }));
  const tickets = sales.reduce((sum, row) => sum + row.tickets, 0);
  const { grossCents, netCents } = soldOutStatement(sales, terms);

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
          <dt>If you sell out</dt>
          <dd>{formatCents(grossCents)}</dd>
        </div>
        <div>
          <dt>You'd get</dt>
          <dd>{formatCents(netCents)}</dd>
        </div>
      </dl>
      <p className={form.fee}>
        After ticket fees and the {formatCents(terms.processingCents)} processing fee, unless it's waived.
      </p>
    </EventFormSection>
  );
}
