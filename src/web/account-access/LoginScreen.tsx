import { Link, useNavigate, useSearchParams } from 'react-router';
import { login, loginForm } from '#contract/app/accounts.ts';
import { call } from '#web/api.ts';
import { cookie, setSessionCookie } from '#web/cookies.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { Honeypot, PasswordField, TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { Page } from '#web/ui/page/Page.tsx';
import styles from './account-access.module.css';

export function LoginScreen() {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const form = useForm(
    loginForm,
    async (credentials) => {
      const { token } = await call(login, credentials);
      // The server has set the cookie with a lifetime that rewriting it here would lose.
      if (cookie('token') !== token) setSessionCookie('token', token);
      await navigate('/profile', { replace: true });
    },
    { fallback: 'Login failed.' },
  );

  return (
    <Page title="Login" width="narrow">
      {query.has('registered') && (
        <Banner kind="success" title="Check your inbox">
          We emailed you a link. Click it to verify your email, then log in.
        </Banner>
      )}
      <Form form={form}>
        <TextField label="Email" name="email" type="email" autoComplete="username" inputMode="email" required />
        <PasswordField label="Password" name="password" autoComplete="current-password" required />
        <Honeypot />
        <Button type="submit" size="lg" busy={form.submitting}>
          Login
        </Button>
      </Form>
      <p className={styles.other}>
        <Link to="/forgot-password">Forgot your password?</Link>
        <br />
        New here? <Link to="/register">Register</Link>
      </p>
    </Page>
  );
}

export { LoginScreen as Component };
