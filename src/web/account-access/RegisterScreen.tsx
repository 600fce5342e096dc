import { useState } from 'react';
import { Link } from 'react-router';
import { register, registerForm } from '#contract/app/accounts.ts';
import { passwordHint } from '#messages/accounts.ts';
import { termsTitle } from '#messages/pages.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { CheckboxField, Honeypot, PasswordField, TextField } from '#web/ui/form/fields.tsx';
import { NewPasswordField } from '#web/ui/form/NewPasswordField.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { Page } from '#web/ui/page/Page.tsx';
import styles from './account-access.module.css';
import { RedirectDialog } from './RedirectDialog.tsx';
import { sitePathOf } from './site-path.ts';

export function RegisterScreen() {
  const [destination, setDestination] = useState<string | null>(null);
  const form = useForm(
    registerForm,
    async (account) => {
      const { url } = await call(register, account);
      setDestination(sitePathOf(url) ?? '/profile');
    },
    { fallback: 'Registration failed.' },
  );

  return (
    <Page title="Register" width="narrow" lead="One account for all your events. No card needed.">
      <Form form={form}>
        <TextField label="Email" name="email" type="email" autoComplete="username" inputMode="email" required />
        <NewPasswordField label="Password" name="password" hint={passwordHint} />
        <PasswordField label="Confirm Password" name="confirmPassword" autoComplete="new-password" required />
        <CheckboxField
          name="acceptedTerms"
          required
          label={
            <>
              I accept the{' '}
              <Link to="/legal" target="_blank">
                {termsTitle}
              </Link>
            </>
          }
        />
        <Honeypot />
        <Button type="submit" kind="gold" size="lg" busy={form.submitting}>
          Register
        </Button>
      </Form>
      <p className={styles.other}>
        Already registered? <Link to="/login">Log in</Link>
      </p>
      {destination && <RedirectDialog to={destination} />}
    </Page>
  );
}

export { RegisterScreen as Component };
