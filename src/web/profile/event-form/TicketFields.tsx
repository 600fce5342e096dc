import { useRef } from 'react';
import { flushSync } from 'react-dom';
import type { OrganizerEvent } from '#contract/app/events.ts';
import type { FeeTerms } from '#domain/fees.ts';
import { TICKET_TYPES_MAX } from '#domain/limits.ts';
import { centsOf } from '#domain/money.ts';
import { formatCents } from '#messages/format.ts';
import { planPrice } from '#messages/offer.ts';
import { takenNote } from '#messages/records/long-forms.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import styles from './EventForm.module.css';
import { EventFormSection } from './EventFormSection.tsx';
import { MoneyField } from './MoneyField.tsx';
import { QuantityField } from './QuantityField.tsx';
import { expectedTickets, receivedCents, reducedFeeNote, ticketFeeStatement } from './ticket-fee-messages.ts';
import { type TicketTypeField, ticketTypeFields } from './ticket-type-fields.ts';
import type { EventDraft } from './use-event-draft.ts';

interface TicketFieldsProps {
  event: EventDraft;
  /** The event being edited. */
  stored?: OrganizerEvent | undefined;
  terms: FeeTerms;
}

export function TicketFields({ event, stored, terms }: TicketFieldsProps) {
  const participants = expectedTickets(event.text('participants'));
  const list = useRef<HTMLOListElement>(null);

  function addRow() {
    // The new fields are above the button, where Tab doesn't lead.
    flushSync(event.addTicketRow);
    list.current?.querySelector<HTMLElement>('li:last-child input:not([type="hidden"])')?.focus();
  }

  return (
    <EventFormSection title="Tickets">
      <p className={styles.fee}>
        {ticketFeeStatement(participants, terms)} {reducedFeeNote}
      </p>
      <ol ref={list} className={styles.tickets}>
        {event.ticketKeys.map((key, row) => (
          <TicketTypeRow key={key} row={row} event={event} stored={stored} terms={terms} participants={participants} />
        ))}
      </ol>
      {event.ticketKeys.length < TICKET_TYPES_MAX && (
        <Button kind="ghost" onClick={addRow}>
          Add ticket type
        </Button>
      )}
      {!stored && (
        <TextField
          label="Affiliate code (optional)"
          {...event.field('affiliateCode')}
          autoComplete="off"
          hint={`Got a code from another organizer? It waives this event's ${planPrice(terms.processingCents)} fee.`}
        />
      )}
    </EventFormSection>
  );
}

interface TicketTypeRowProps extends TicketFieldsProps {
  row: number;
  participants: number;
}

function TicketTypeRow({ row, event, stored, terms, participants }: TicketTypeRowProps) {
  const name = (field: string) => `tickets.${row}.${field}`;
  const ticketId = event.text(name('ticketId'));
  const type = stored?.tickets.find((one) => one.ticketId === ticketId);
  const taken = type ? takenNote(type) : null;
  const priceCents = centsOf(event.text(name('ticketPrice')));
  const textField = ({ name: field, attributes }: TicketTypeField) => {
    const props = { ...attributes, ...event.field(name(field)), autoComplete: 'off' };
    if (field === 'ticketQuantity')
      return <QuantityField key={field} {...props} onStep={(count) => event.set({ [name(field)]: count })} />;
    return field === 'ticketPrice' ? <MoneyField key={field} {...props} /> : <TextField key={field} {...props} />;
  };

  return (
    <li className={styles.ticket}>
      {/* Ties the row to its ticket type, even if it is renamed. */}
      {ticketId && <input type="hidden" name={name('ticketId')} value={ticketId} />}
      <div className={styles.ticketHead}>
        <h3>Ticket {row + 1}</h3>
        {event.ticketKeys.length > 1 && taken === null && (
          <Button kind="ghost" onClick={() => event.removeTicketRow(row)} aria-label={`Remove ticket ${row + 1}`}>
            Remove
          </Button>
        )}
      </div>
      <div className={styles.ticketFields}>{ticketTypeFields.filter(({ isWide }) => !isWide).map(textField)}</div>
      {taken && <p className={styles.split}>{taken}</p>}
      {ticketTypeFields.filter(({ isWide }) => isWide).map(textField)}
      {priceCents !== null && (
        <p className={styles.split}>
          Buyer pays <b>{formatCents(priceCents)}</b> · you get{' '}
          <b>{formatCents(receivedCents(priceCents, participants, terms))}</b>
        </p>
      )}
    </li>
  );
}
