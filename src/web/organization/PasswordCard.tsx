import { changePassword, changePasswordForm } from '#contract/app/security.ts';
import { passwordHint } from '#messages/accounts.ts';
import { passwordChange as text } from '#messages/security.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { PasswordField } from '#web/ui/form/fields.tsx';
import { NewPasswordField } from '#web/ui/form/NewPasswordField.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './security.module.css';

export function PasswordCard() {
  const form = useForm(
    changePasswordForm,
    async (passwords, element) => {
      toast.success((await call(changePassword, passwords)).msg);
      element.reset();
    },
    { fallback: text.failed },
  );

  return (
    <section className={styles.card} aria-labelledby="password-title">
      <h2 id="password-title">{text.title}</h2>
      <p className={styles.why}>{text.why}</p>
      <Form form={form}>
        <PasswordField label={text.present} name="password" autoComplete="current-password" required />
        <NewPasswordField label={text.next} name="newPassword" hint={passwordHint} />
        <PasswordField label={text.again} name="confirmNewPassword" autoComplete="new-password" required />
        <Button type="submit" busy={form.submitting}>
          {text.submit}
        </Button>
      </Form>
    </section>
  );
}
