import { useNavigate } from 'react-router';
import { deleteAccount } from '#contract/app/privacy.ts';
import { ownPasswordForm } from '#contract/forms/own-password.ts';
import { accountDeletion } from '#messages/privacy.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './DeleteAccountDialog.module.css';

export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const form = useForm(
    ownPasswordForm,
    async (asked) => {
      toast.success((await call(deleteAccount, asked)).msg);
      void navigate('/login', { replace: true });
    },
    { fallback: accountDeletion.failed },
  );

  return (
    <Dialog title={accountDeletion.remove} open onClose={onClose}>
      <Form form={form}>
        <ul className={styles.consequences}>
          {accountDeletion.consequences.map((paragraph) => (
            <li key={paragraph}>{paragraph}</li>
          ))}
        </ul>
        <TextField
          label={accountDeletion.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        <div className={styles.choices}>
          <Button type="submit" kind="danger" busy={form.submitting}>
            {accountDeletion.remove}
          </Button>
          <Button kind="ghost" onClick={onClose}>
            {accountDeletion.keep}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
