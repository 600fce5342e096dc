import type { Confirmation } from '#contract/app/checkout.ts';
import { transferForm, transferTicket } from '#contract/app/sales/ticket-transfers.ts';
import { GUEST_NAME_MAX, type NameRule } from '#domain/sales/guest-form.ts';
import { nameOfTicket } from '#messages/sales/order-page.ts';
import { transferPage as text } from '#messages/sales/ticket-transfers.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { fieldFrom } from './field-from.ts';
import styles from './order.module.css';

export interface TransferDialogProps {
  /** Of the page of the order, or of the ticket. */
  token: string;
  ticket: Confirmation['confirmationData'][number];
  asksNames: NameRule;
  onDone: () => void;
  onClose: () => void;
}

/** Names what a transfer does before it does. */
export function TransferDialog({ token, ticket, asksNames, onDone, onClose }: TransferDialogProps) {
  const { position } = ticket;
  const form = useForm(
    transferForm,
    async (typed) => {
      toast.success((await call(transferTicket, { token, position, ...typed })).msg);
      onClose();
      onDone();
    },
    { fallback: text.failed, rejectedField: (error) => fieldFrom(error) ?? 'email' },
  );
  return (
    <Dialog title={text.title(nameOfTicket(ticket))} open onClose={onClose}>
      <Form form={form}>
        <ul className={styles.consequences}>
          {text.consequences.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
        <TextField
          label={text.email}
          name="email"
          type="email"
          required
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        {asksNames !== 'off' && !ticket.isAddOn && (
          <TextField
            label={text.name}
            name="name"
            required={asksNames === 'required'}
            counterMax={GUEST_NAME_MAX}
            autoComplete="off"
          />
        )}
        <div className={styles.actions}>
          <Button type="submit" busy={form.submitting}>
            {form.submitting ? text.busy : text.confirm}
          </Button>
          <Button kind="ghost" onClick={onClose}>
            {text.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
