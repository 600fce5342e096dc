import { reauthenticate } from '#contract/app/accounts.ts';
import { ownPasswordForm } from '#contract/forms/own-password.ts';
import { reauthentication } from '#messages/accounts.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { PasswordField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './account-access.module.css';
import { ConfirmWithFactor } from './ConfirmWithFactor.tsx';

export function ReauthenticationDialog({ onDone }: { onDone: (isConfirmed: boolean) => void }) {
  const form = useForm(
    ownPasswordForm,
    async (entered) => {
      await call(reauthenticate, entered);
      onDone(true);
    },
    { fallback: reauthentication.failed, rejectedField: 'password' },
  );

  return (
    <Dialog title={reauthentication.title} open onClose={() => onDone(false)}>
      <Form form={form}>
        <p>{reauthentication.why}</p>
        <PasswordField label="Password" name="password" autoComplete="current-password" required />
        <div className={styles.choices}>
          <Button type="submit" busy={form.submitting}>
            {reauthentication.confirm}
          </Button>
          <Button kind="ghost" onClick={() => onDone(false)}>
            {reauthentication.cancel}
          </Button>
        </div>
      </Form>
      <ConfirmWithFactor onDone={() => onDone(true)} />
    </Dialog>
  );
}
