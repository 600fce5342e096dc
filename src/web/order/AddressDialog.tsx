import { addressForm, correctOwnEmail } from '#contract/app/sales/ticket-transfers.ts';
import { correctAddress as text } from '#messages/sales/ticket-transfers.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './order.module.css';

export interface AddressDialogProps {
  token: string;
  email: string;
  /** When it is too late. */
  until: string;
  /** The order has another link now. */
  onMoved: (token: string) => void;
  onClose: () => void;
}

export function AddressDialog({ token, email, until, onMoved, onClose }: AddressDialogProps) {
  const form = useForm(
    addressForm,
    async (typed) => {
      const { msg, token: moved } = await call(correctOwnEmail, { token, ...typed });
      toast.success(msg);
      onClose();
      onMoved(moved);
    },
    { fallback: text.failed, rejectedField: 'email' },
  );
  return (
    <Dialog title={text.title} open onClose={onClose}>
      <Form form={form}>
        <p>{text.lead}</p>
        <TextField
          label={text.email}
          name="email"
          type="email"
          required
          defaultValue={email}
          autoComplete="email"
          spellCheck={false}
          data-autofocus
        />
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
