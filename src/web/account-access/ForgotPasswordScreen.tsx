import { useState } from 'react';
import { Link } from 'react-router';
import { forgotPassword, forgotPasswordForm } from '#contract/app/accounts.ts';
import { errorOccurred } from '#messages/pages.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { Honeypot, TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { Page } from '#web/ui/page/Page.tsx';
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
    { fallback: errorOccurred },
  );

  return (
    <Page title="Forgot password" width="narrow" lead="Enter your email and we'll send you a reset link.">
      <Form form={form}>
        <TextField label="Email" name="email" type="email" autoComplete="username" inputMode="email" required />
        <Honeypot />
        <Button type="submit" size="lg" busy={form.submitting}>
          Reset
        </Button>
      </Form>
      {answer && (
        <Banner kind="success" title={answer}>
          It can take a minute. Nothing yet? Check spam, or check the address and try again.
        </Banner>
      )}
      <p className={styles.other}>
        <Link to="/login">Back to login</Link>
      </p>
    </Page>
  );
}

export { ForgotPasswordScreen as Component };
