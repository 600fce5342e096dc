import { useState } from 'react';
import { Link } from 'react-router';
import { changeEmail, changeEmailForm } from '#contract/app/accounts.ts';
import { errorOccurred } from '#messages/pages.ts';
import { CallError, call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { Honeypot, TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { Page } from '#web/ui/page/Page.tsx';
import { useLogIn } from '#web/ui/page/use-log-in.ts';
import styles from './account-access.module.css';

export function ChangeEmailScreen() {
  const logIn = useLogIn();
  const [answer, setAnswer] = useState<string | null>(null);
  const form = useForm(
    changeEmailForm,
    async (change) => {
      try {
        const { msg } = await call(changeEmail, change);
        setAnswer(msg);
        toast.success(msg);
      } catch (error) {
        if (error instanceof CallError && error.status === 401) logIn();
        throw error;
      }
    },
    { fallback: errorOccurred },
  );

  return (
    <Page title="Change email" width="narrow">
      <p className={styles.other}>
        We'll email both addresses: a confirmation link to the new one, a heads-up to the old one.
      </p>
      <Form form={form}>
        <TextField label="New Email" name="newEmail" type="email" autoComplete="email" inputMode="email" required />
        <Honeypot />
        <Button type="submit" size="lg" busy={form.submitting}>
          Change Email
        </Button>
      </Form>
      {answer && <Banner kind="success" title={answer} />}
      <p className={styles.other}>
        <Link to="/profile">Back to your events</Link>
      </p>
    </Page>
  );
}

export { ChangeEmailScreen as Component };
