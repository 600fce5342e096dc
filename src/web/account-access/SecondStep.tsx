import { useState } from 'react';
import type * as z from 'zod/mini';
import { factorCodeForm, type factorRequired, loginFactor } from '#contract/app/factors.ts';
import { factorLogin as text } from '#messages/accounts/factors.ts';
import { call, codeFrom, messageFrom } from '#web/api.ts';
import { askForPasskey, supportsPasskeys } from '#web/passkeys.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './account-access.module.css';

export type FactorQuestion = z.infer<typeof factorRequired>;

interface SecondStepProps {
  question: FactorQuestion;
  onLoggedIn: (session: { token: string }) => Promise<void>;
  /** The question has expired, or the person wants another account. */
  onBack: () => void;
}

export function SecondStep({ question: { challengeId, kinds, passkeyOptions }, onLoggedIn, onBack }: SecondStepProps) {
  const hasApp = kinds.includes('totp');
  const isEmailed = kinds.includes('email');
  const form = useForm(
    factorCodeForm,
    async ({ code }) => {
      try {
        await onLoggedIn(await call(loginFactor, { challengeId, code }));
      } catch (error) {
        if (codeFrom(error) === 'auth.challenge-expired') onBack();
        throw error;
      }
    },
    { fallback: text.failed, rejectedField: 'code' },
  );

  return (
    <>
      {passkeyOptions && supportsPasskeys() && (
        <PasskeyStep challengeId={challengeId} options={passkeyOptions} onLoggedIn={onLoggedIn} />
      )}
      <Form form={form}>
        <p>{isEmailed ? text.emailWhy : hasApp ? text.why : text.recoveryWhy}</p>
        <TextField
          label={hasApp || isEmailed ? text.code : text.recoveryCode}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="off"
          spellCheck={false}
          required
        />
        <Button type="submit" size="lg" kind={passkeyOptions ? 'ghost' : undefined} busy={form.submitting}>
          {text.submit}
        </Button>
      </Form>
      {hasApp && <p className={styles.other}>{text.lost}</p>}
      <Button kind="ghost" onClick={onBack}>
        {text.back}
      </Button>
    </>
  );
}

interface PasskeyStepProps {
  challengeId: string;
  options: NonNullable<FactorQuestion['passkeyOptions']>;
  onLoggedIn: SecondStepProps['onLoggedIn'];
}

function PasskeyStep({ challengeId, options, onLoggedIn }: PasskeyStepProps) {
  const [isBusy, setBusy] = useState(false);

  async function show() {
    setBusy(true);
    try {
      const passkey = await askForPasskey(options);
      if (passkey) await onLoggedIn(await call(loginFactor, { challengeId, passkey }));
    } catch (error) {
      toast.error(messageFrom(error, text.passkeyFailed));
    }
    setBusy(false);
  }

  return (
    <Button size="lg" busy={isBusy} onClick={show}>
      {text.usePasskey}
    </Button>
  );
}
