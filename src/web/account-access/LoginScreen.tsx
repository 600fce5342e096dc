import { useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { login, loginForm } from '#contract/app/accounts.ts';
import { factorLogin as text } from '#messages/accounts/factors.ts';
import { call } from '#web/api.ts';
import { cookie, setSessionCookie } from '#web/cookies.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { Honeypot, PasswordField, TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { Page } from '#web/ui/page/Page.tsx';
import { useFocusOnHeading } from '#web/ui/page/use-focus-on-heading.ts';
import styles from './account-access.module.css';
import { PasskeyLogin } from './PasskeyLogin.tsx';
import { type FactorQuestion, SecondStep } from './SecondStep.tsx';
import { sitePathOf } from './site-path.ts';

export function LoginScreen() {
  const navigate = useNavigate();
  const asked = cameFrom(useLocation().state);
  const [query] = useSearchParams();
  const [question, setQuestion] = useState<FactorQuestion | null>(null);
  useFocusOnHeading(question !== null);

  async function enter({ token }: { token: string }) {
    // The server has set the cookie with a lifetime that rewriting it here would lose.
    if (cookie('token') !== token) setSessionCookie('token', token);
    await navigate(asked ?? '/profile', { replace: true });
  }

  if (question)
    return (
      <Page title={text.title} width="narrow">
        <SecondStep question={question} onLoggedIn={enter} onBack={() => setQuestion(null)} />
      </Page>
    );
  return (
    <Page title="Login" width="narrow">
      {query.has('registered') && (
        <Banner kind="success" title="Check your inbox">
          We emailed you a link. Click it to verify your email, then log in.
        </Banner>
      )}
      <PasswordLogin onLoggedIn={enter} onQuestion={setQuestion} />
      <PasskeyLogin onLoggedIn={enter} />
      <p className={styles.other}>
        <Link to="/forgot-password">Forgot your password?</Link>
        <br />
        New here? <Link to="/register">Register</Link>
      </p>
    </Page>
  );
}

/** The address that led here by `useLogIn`. */
function cameFrom(state: unknown): string | null {
  const isKnown = typeof state === 'object' && state !== null && 'from' in state && typeof state.from === 'string';
  return isKnown ? sitePathOf(String(state.from)) : null;
}

interface PasswordLoginProps {
  onLoggedIn: (session: { token: string }) => Promise<void>;
  onQuestion: (question: FactorQuestion) => void;
}

function PasswordLogin({ onLoggedIn, onQuestion }: PasswordLoginProps) {
  const form = useForm(
    loginForm,
    async (credentials) => {
      const answer = await call(login, credentials);
      if ('token' in answer) await onLoggedIn(answer);
      else onQuestion(answer);
    },
    { fallback: text.failed },
  );
  return (
    <Form form={form}>
      <TextField label="Email" name="email" type="email" autoComplete="username" inputMode="email" required />
      <PasswordField label="Password" name="password" autoComplete="current-password" required />
      <Honeypot />
      <Button type="submit" size="lg" busy={form.submitting}>
        Login
      </Button>
    </Form>
  );
}

export { LoginScreen as Component };
