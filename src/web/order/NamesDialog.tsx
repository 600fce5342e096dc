import * as z from 'zod/mini';
import type { Confirmation } from '#contract/app/checkout.ts';
import { nameTickets } from '#contract/app/sales/order-names.ts';
import { guestName } from '#contract/forms/guest-details.ts';
import { GUEST_NAME_MAX } from '#domain/sales/guest-form.ts';
import { orderNames as text } from '#messages/sales/order-names.ts';
import { nameOfTicket } from '#messages/sales/order-page.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { fieldFrom } from './field-from.ts';
import styles from './order.module.css';

export interface NamesDialogProps {
  token: string;
  tickets: Confirmation['confirmationData'];
  /** When names can no longer be changed. */
  until: string;
  onSaved: () => void;
  onClose: () => void;
}

const namesForm = z.object({ tickets: z.array(z.optional(z.object({ name: guestName }))) });

export function NamesDialog({ token, tickets, until, onSaved, onClose }: NamesDialogProps) {
  const guests = tickets.filter(({ isAddOn }) => !isAddOn);
  const form = useForm(
    namesForm,
    async (typed) => {
      const names = guests.map(({ position }) => ({ position, name: typed.tickets[position - 1]?.name ?? '' }));
      toast.success((await call(nameTickets, { token, names })).msg);
      onSaved();
      onClose();
    },
    { fallback: text.notSaved, rejectedField: (error) => fieldFrom(error) },
  );
  return (
    <Dialog title={text.title} open onClose={onClose}>
      <Form form={form}>
        {guests.map((ticket, index) => (
          <TextField
            key={ticket.position}
            label={text.name(nameOfTicket(ticket))}
            name={`tickets.${ticket.position - 1}.name`}
            hint={ticket.ticketName}
            defaultValue={ticket.guestName}
            counterMax={GUEST_NAME_MAX}
            autoComplete={index === 0 ? 'name' : 'off'}
            data-autofocus={index === 0 || undefined}
          />
        ))}
        <p className={styles.quiet}>{text.until(until)}</p>
        <div className={styles.actions}>
          <Button type="submit" busy={form.submitting}>
            {form.submitting ? text.saving : text.save}
          </Button>
          <Button kind="ghost" onClick={onClose}>
            {text.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
