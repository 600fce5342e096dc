import { useRef, useState } from 'react';
import { type EventTickets, editTickets, eventTickets } from '#contract/app/events.ts';
import { ORDER_TICKETS_MAX, SHARED_CAPACITIES_MAX, TICKET_TYPES_MAX } from '#domain/limits.ts';
import { eventErrors } from '#messages/events.ts';
import { ticketSettings as text } from '#messages/sales/ticket-settings.ts';
import { call, codeFrom, messageFrom } from '#web/api.ts';
import { newUuid } from '#web/new-uuid.ts';
import { useAskBeforeLeaving } from '#web/shell/workspace/use-ask-before-leaving.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { CheckboxField, TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { bringIntoView } from '#web/ui/page/bring-into-view.ts';
import { CapacityCard } from './CapacityCard.tsx';
import { TicketTypeCard } from './TicketTypeCard.tsx';
import styles from './tickets.module.css';
import { ticketsFormFor, withInstants, zoneName } from './tickets-form.ts';

interface TicketsFormProps {
  eventId: string;
  stored: EventTickets;
  onReload: () => Promise<void>;
}

/** Starts over with everything that is loaded: its key counts the loads. */
export function TicketsForm({ eventId, stored, onReload }: TicketsFormProps) {
  const { timezone, tickets } = stored;
  const [rows, setRows] = useState<readonly Row[]>(() =>
    tickets.map((type) => ({
      key: type.ticketId,
      type,
      name: type.ticketName,
      after: type.opensAfter ?? null,
    })),
  );
  const [capacities, setCapacities] = useState<readonly CapacityRow[]>(() =>
    stored.sharedCapacities.map((capacity) => ({ key: capacity.capacityId, capacity })),
  );
  // The version this save is based on.
  const version = useRef(stored.version);
  const [isTouched, setTouched] = useState(false);
  const leaving = useAskBeforeLeaving(isTouched);
  const [isOutdated, setOutdated] = useState(false);

  const [schema] = useState(() => ticketsFormFor(stored));
  const form = useForm(schema, async (values) => {
    try {
      const edit = {
        ...values,
        tickets: values.tickets.map((row) => withInstants(row, stored)),
        // Without any, the form has no such field.
        sharedCapacities: values.sharedCapacities ?? [],
      };
      const { msg } = await call(editTickets, { eventId, ...edit, version: version.current });
      toast.success(msg);
      setTouched(false);
      await onReload();
    } catch (error) {
      setOutdated(codeFrom(error) === 'event.changed');
      toast.error(messageFrom(error, text.notSaved));
    }
  });

  /** Replaces the version that is stored now, and no later one. */
  async function saveAnyway({ form: element }: HTMLButtonElement) {
    try {
      version.current = (await call(eventTickets, { eventId })).version;
      element?.requestSubmit();
    } catch (error) {
      toast.error(messageFrom(error, text.notSaved));
    }
  }

  /** The button goes with its card, so the heading takes the focus. */
  function remove(drop: () => void, headingId: string): void {
    drop();
    setTouched(true);
    document.getElementById(headingId)?.focus();
  }

  const othersOf = (key: string) =>
    rows
      .map((one, index) => ({ key: one.key, name: one.name.trim() || text.ticket(index + 1) }))
      .filter((one) => one.key !== key);

  const unitsOf = ({ type }: Row, capacity: CapacityRow['capacity']) =>
    (type && capacity?.units[tickets.indexOf(type)]) ?? null;

  return (
    <Form form={form} label={text.title} className={styles.form} onChange={() => setTouched(true)}>
      {leaving}
      <section className={styles.section} aria-labelledby="every-order">
        <h2 id="every-order">{text.order}</h2>
        <TextField
          label={text.orderMax}
          name="maxPerOrder"
          inputMode="numeric"
          className={styles.short}
          hint={text.orderMaxHint}
          defaultValue={stored.maxPerOrder === ORDER_TICKETS_MAX ? '' : stored.maxPerOrder}
          placeholder={String(ORDER_TICKETS_MAX)}
        />
        <CheckboxField
          label={text.repeated}
          name="allowsRepeatedFreeOrders"
          hint={text.repeatedHint}
          defaultChecked={stored.allowsRepeatedFreeOrders}
        />
        <CheckboxField
          label={text.transfers}
          name="allowsTicketTransfer"
          hint={text.transfersHint}
          defaultChecked={stored.allowsTicketTransfer}
        />
      </section>
      <section className={styles.section} aria-labelledby="ticket-types">
        <h2 id="ticket-types" tabIndex={-1}>
          {text.types}
        </h2>
        <p className={styles.zone}>{text.zone(zoneName(timezone))}</p>
        <ol className={styles.types}>
          {rows.map(({ key, type, after }, row) => (
            <TicketTypeCard
              key={key}
              rowKey={key}
              row={row}
              type={type}
              timezone={timezone}
              terms={stored.feeTerms}
              others={othersOf(key)}
              after={rows.some((one) => one.key === after) ? after : null}
              onAfter={(before) => setRows(rows.map((one) => (one.key === key ? { ...one, after: before } : one)))}
              onName={(name) => setRows(rows.map((one) => (one.key === key ? { ...one, name } : one)))}
              onRemove={
                rows.length > 1
                  ? () => remove(() => setRows(rows.filter((one) => one.key !== key)), 'ticket-types')
                  : null
              }
            />
          ))}
        </ol>
        {rows.length < TICKET_TYPES_MAX && (
          <div>
            <Button kind="ghost" onClick={() => setRows([...rows, { key: newUuid(), name: '', after: null }])}>
              {text.add}
            </Button>
          </div>
        )}
      </section>
      <section className={styles.section} aria-labelledby="shared-capacity">
        <h2 id="shared-capacity" tabIndex={-1}>
          {text.capacities}
        </h2>
        <p className={styles.zone}>{capacities.length === 0 ? text.noCapacities : text.capacitiesLead}</p>
        <ol className={styles.types}>
          {capacities.map(({ key, capacity }, row) => (
            <CapacityCard
              key={key}
              row={row}
              capacity={capacity}
              types={rows.map((one) => ({ key: one.key, name: one.name, units: unitsOf(one, capacity) }))}
              onRemove={() =>
                remove(() => setCapacities(capacities.filter((one) => one.key !== key)), 'shared-capacity')
              }
            />
          ))}
        </ol>
        {capacities.length < SHARED_CAPACITIES_MAX && (
          <div>
            <Button kind="ghost" onClick={() => setCapacities([...capacities, { key: newUuid() }])}>
              {text.addCapacity}
            </Button>
          </div>
        )}
      </section>
      {isOutdated && (
        <div ref={bringIntoView}>
          <Banner kind="warning" role="alert" title={eventErrors['event.changed']}>
            <p>{text.discardHint}</p>
            <div className={styles.choices}>
              <Button busy={form.submitting} onClick={({ currentTarget }) => void saveAnyway(currentTarget)}>
                {text.saveAnyway}
              </Button>
              <Button kind="ghost" onClick={onReload}>
                {text.discard}
              </Button>
            </div>
          </Banner>
        </div>
      )}
      <div className={styles.submit}>
        <Button type="submit" kind="gold" size="lg" busy={form.submitting}>
          {text.save}
        </Button>
      </div>
    </Form>
  );
}

interface Row {
  key: string;
  type?: EventTickets['tickets'][number];
  name: string;
  /** The key of the row that it opens after. */
  after: string | null;
}

interface CapacityRow {
  key: string;
  capacity?: EventTickets['sharedCapacities'][number];
}
