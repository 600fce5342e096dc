import { useRef, useState } from 'react';
import { addComps, type EventComps } from '#contract/app/sales/comps.ts';
import { compsForm, guestsOf } from '#contract/forms/comps-form.ts';
import { DOOR_NOTE_MAX } from '#domain/sales/guest-form.ts';
import { compsPage as text, typedGuestsProblem } from '#messages/sales/comps.ts';
import { call, codeFrom } from '#web/api.ts';
import { newUuid } from '#web/new-uuid.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { CheckboxField, SelectField, TextArea, TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './comps.module.css';

interface AddGuestsProps {
  eventId: string;
  types: EventComps['types'];
  onAdded: () => Promise<void>;
}

/** The fields that the server's denials are about. */
const REJECTED: { [code: string]: string } = {
  'comp.too-few-left': 'ticketId',
  'comp.too-many': 'guests',
  'comp.quantity-too-high': 'ticketId',
};

export function AddGuests({ eventId, types, onAdded }: AddGuestsProps) {
  const [added, setAdded] = useState(0);
  /** The same guests have the same id, so that sending them again after a lost answer adds no one twice. */
  const sent = useRef({ what: '', id: '' });
  const form = useForm(
    compsForm,
    async (values) => {
      const guests = guestsOf(values);
      const what = JSON.stringify(guests);
      if (sent.current.what !== what) sent.current = { what, id: newUuid() };
      const { raisesQuantity } = values;
      const { msg } = await call(addComps, { eventId, compsId: sent.current.id, guests, raisesQuantity });
      sent.current = { what: '', id: '' };
      toast.success(msg);
      setAdded(added + 1);
      await onAdded();
    },
    { fallback: text.notAdded, textOf: typedGuestsProblem, rejectedField: (error) => REJECTED[codeFrom(error) ?? ''] },
  );

  return (
    <section className={styles.section} aria-labelledby="add-guests">
      <h2 id="add-guests">{text.addTitle}</h2>
      <Form form={form} key={added}>
        <TextArea
          label={text.guests}
          name="guests"
          required
          hint={text.guestsHint}
          autoComplete="off"
          spellCheck={false}
        />
        <div className={styles.pair}>
          <SelectField
            label={text.type}
            name="ticketId"
            options={types.map(({ ticketId, ticketName, available }) => ({
              value: ticketId,
              label: text.typeOption(ticketName, available),
            }))}
          />
          <TextField
            label={text.quantity}
            name="quantity"
            required
            inputMode="numeric"
            defaultValue="1"
            autoComplete="off"
          />
        </div>
        <TextField
          label={text.doorNote}
          name="doorNote"
          hint={text.doorNoteHint}
          counterMax={DOOR_NOTE_MAX}
          autoComplete="off"
        />
        <CheckboxField label={text.raise} name="raisesQuantity" hint={text.raiseHint} />
        <div className={styles.submit}>
          <Button type="submit" busy={form.submitting}>
            {form.submitting ? text.adding : text.add}
          </Button>
        </div>
      </Form>
    </section>
  );
}
