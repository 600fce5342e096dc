import { useState } from 'react';
import { Link } from 'react-router';
import { forgotPassword, forgotPasswordForm } from '#contract/accounts.ts';
import { call } from '#web/api.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Form } from '#web/ui/Form.tsx';
import { Honeypot, TextField } from '#web/ui/fields.tsx';
import { Page } from '#web/ui/Page.tsx';
import { toast } from '#web/ui/toast.ts';
import { useForm } from '#web/ui/use-form.ts';
import styles from './account-access.module.css';

export function ForgotPasswordScreen() {
  const [answer, setAnswer] = useState<string | null>(null);
  const form = useForm(
    forgotPasswordForm,
    async (account) => {
      const { msg } = await call(forgotPassword, account);
      setAnswer(msg);
      toast.success(msg);
    },
    { fallback: 'An error occurred. Please try again.' },
  );

  return (
    <Page
      title="Forgot password"
      width="narrow"
      lead="Tell us the email of your account, and we mail you a link to set a new password."
    >
      <Form form={form}>
        <TextField label="Email" name="email" type="email" autoComplete="username" inputMode="email" required />
        <Honeypot />
        <Button type="submit" size="lg" busy={form.submitting}>
          Reset
        </Button>
      </Form>
      {answer && (
        <Banner kind="success" title={answer}>
          The mail can take a minute. If none comes, look in your spam folder, or check the address and try again.
        </Banner>
      )}
      <p className={styles.other}>
        <Link to="/login">Back to login</Link>
      </p>
    </Page>
  );
}

export { ForgotPasswordScreen as Component };
