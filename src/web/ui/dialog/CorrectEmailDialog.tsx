import { addressForm, correctEmail } from '#contract/app/sales/ticket-transfers.ts';
import { correctEmailDialog as text } from '#messages/sales/ticket-transfers.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { Dialog } from './Dialog.tsx';
import styles from './guest-dialogs.module.css';

interface CorrectEmailDialogProps {
  eventId: string;
  orderId: string;
  /** As it is now. */
  email: string;
  onCorrected: (email: string) => void;
  onClose: () => void;
}

/** Moves an order with its tickets to another address. */
export function CorrectEmailDialog({ eventId, orderId, email, onCorrected, onClose }: CorrectEmailDialogProps) {
  const form = useForm(
    addressForm,
    async (typed) => {
      toast.success((await call(correctEmail, { eventId, orderId, ...typed })).msg);
      onCorrected(typed.email);
      onClose();
    },
    { fallback: text.failed, rejectedField: 'email' },
  );
  return (
    <Dialog title={text.title} open onClose={onClose}>
      <Form form={form} className={styles.form}>
        <p>{text.lead(email)}</p>
        <TextField
          label={text.email}
          name="email"
          type="email"
          required
          defaultValue={email}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <p className={styles.quiet}>{text.informed}</p>
        <div className={styles.choices}>
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
