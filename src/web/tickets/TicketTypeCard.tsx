import { useId, useState } from 'react';
import type { EventTickets } from '#contract/app/events.ts';
import { type FeeTerms, priceToReceive, receivedOf } from '#domain/fees.ts';
import { TICKET_DESCRIPTION_MAX, TICKET_NAME_MAX } from '#domain/limits.ts';
import { centsOf, dollarsOf } from '#domain/money.ts';
import { ACCESS_KINDS } from '#domain/sales/access.ts';
import { takenNote } from '#messages/records/long-forms.ts';
import { receivedNote, ticketSettings as text } from '#messages/sales/ticket-settings.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { CheckboxField, SelectField, TextField } from '#web/ui/form/fields.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './tickets.module.css';
import { shownTime, typedPrice } from './tickets-form.ts';
import { useFocusIfNew } from './use-focus-if-new.ts';

interface TicketTypeCardProps {
  row: number;
  /** The id of its ticket type, or a new one. */
  rowKey: string;
  /** Undefined for a new one. */
  type?: EventTickets['tickets'][number] | undefined;
  timezone: string;
  terms: FeeTerms;
  /** What the other types are called now, and which of them this one opens after. */
  others: readonly { key: string; name: string }[];
  after: string | null;
  onAfter: (key: string | null) => void;
  onName: (name: string) => void;
  /** Null for the only one. */
  onRemove: (() => void) | null;
}

export function TicketTypeCard({
  row,
  rowKey,
  type,
  timezone,
  terms,
  others,
  after,
  onAfter,
  onName,
  onRemove,
}: TicketTypeCardProps) {
  const headingId = useId();
  const nameField = useFocusIfNew(!type);
  const name = (field: string) => `tickets.${row}.${field}`;
  const taken = type ? takenNote(type) : null;
  const [price, setPrice] = useState(type ? typedPrice(type.ticketPrice) : '');
  const priceCents = centsOf(price);
  const [isNamed, setNamed] = useState(type?.hasNamedPrice === true);

  function proposePrice(wanted: string): void {
    const cents = centsOf(wanted);
    if (cents !== null && cents > 0) setPrice(typedPrice(dollarsOf(priceToReceive(cents, terms))));
  }

  return (
    <li className={styles.type}>
      <div role="group" aria-labelledby={headingId} className={styles.fields}>
        {/* Ties the row to its ticket type, even if it is renamed, and others to this row. */}
        <input type="hidden" name={name('ticketId')} value={rowKey} />
        <div className={styles.typeHead}>
          <h3 id={headingId}>{text.ticket(row + 1)}</h3>
          {onRemove && taken === null && (
            <Button kind="ghost" onClick={onRemove} aria-label={text.removeTicket(row + 1)}>
              {text.remove}
            </Button>
          )}
        </div>
        <div className={styles.what}>
          <TextField
            label={text.name}
            name={name('ticketName')}
            required
            counterMax={TICKET_NAME_MAX}
            defaultValue={type?.ticketName}
            ref={nameField}
            onChange={({ target }) => onName(target.value)}
            autoComplete="off"
          />
          <TextField
            label={isNamed ? text.minimumPrice : text.price}
            name={name('ticketPrice')}
            required
            inputMode="decimal"
            value={price}
            onChange={({ target }) => setPrice(target.value)}
            autoComplete="off"
          />
          <TextField
            label={text.quantity}
            name={name('ticketQuantity')}
            required
            inputMode="numeric"
            defaultValue={type?.ticketQuantity}
            autoComplete="off"
          />
        </div>
        {taken && <p className={styles.taken}>{taken}</p>}
        <div className={styles.money}>
          <TextField
            label={text.wanted}
            name={`wanted.${row}`}
            inputMode="decimal"
            hint={text.wantedHint}
            onChange={({ target }) => proposePrice(target.value)}
            autoComplete="off"
          />
          <p className={styles.received} role="status">
            {priceCents !== null &&
              priceCents > 0 &&
              receivedNote({ ...receivedOf(priceCents, terms), from: terms.largeFrom, isLeast: isNamed })}
          </p>
        </div>
        <TextField
          label={text.description}
          name={name('ticketDescription')}
          required
          counterMax={TICKET_DESCRIPTION_MAX}
          defaultValue={type?.ticketDescription}
          autoComplete="off"
        />
        <div className={classNames(styles.pair, styles.sale)}>
          <TextField
            label={text.salesFrom}
            name={name('salesFrom')}
            type="datetime-local"
            hint={text.salesFromHint}
            defaultValue={shownTime(type?.salesFrom, timezone)}
          />
          <TextField
            label={text.salesUntil}
            name={name('salesUntil')}
            type="datetime-local"
            hint={text.salesUntilHint}
            defaultValue={shownTime(type?.salesUntil, timezone)}
          />
          {others.length > 0 && (
            <SelectField
              label={text.opensAfter}
              name={name('opensAfter')}
              hint={text.opensAfterHint}
              value={after ?? ''}
              onChange={({ target }) => onAfter(target.value || null)}
              options={[
                { value: '', label: text.opensAtOnce },
                ...others.map((one) => ({ value: one.key, label: one.name })),
              ]}
            />
          )}
          <TextField
            label={text.minPerOrder}
            name={name('minPerOrder')}
            inputMode="numeric"
            hint={text.minPerOrderHint}
            defaultValue={type?.minPerOrder}
            autoComplete="off"
          />
          <TextField
            label={text.maxPerOrder}
            name={name('maxPerOrder')}
            inputMode="numeric"
            hint={text.maxPerOrderHint}
            defaultValue={type?.maxPerOrder}
            autoComplete="off"
          />
          <SelectField
            label={text.access}
            name={name('access')}
            hint={text.accessHint}
            defaultValue={type?.access ?? ''}
            options={[
              { value: '', label: text.accessKinds.none },
              ...ACCESS_KINDS.map((kind) => ({ value: kind, label: text.accessKinds[kind] })),
            ]}
          />
        </div>
        <CheckboxField
          label={text.named}
          name={name('hasNamedPrice')}
          hint={text.namedHint}
          checked={isNamed}
          onChange={({ target }) => setNamed(target.checked)}
        />
        {isNamed && (
          <TextField
            label={text.suggestedPrice}
            name={name('suggestedPrice')}
            inputMode="decimal"
            hint={text.suggestedPriceHint}
            className={styles.short}
            defaultValue={type?.suggestedPrice === undefined ? '' : typedPrice(type.suggestedPrice)}
            autoComplete="off"
          />
        )}
        <CheckboxField
          label={text.hidden}
          name={name('isHidden')}
          hint={text.hiddenHint}
          defaultChecked={type?.isHidden ?? false}
        />
        <CheckboxField
          label={text.addOn}
          name={name('isAddOn')}
          hint={text.addOnHint}
          defaultChecked={type?.isAddOn ?? false}
        />
      </div>
    </li>
  );
}
