import { useEffect, useState } from 'react';
import { factorCodeForm, factors, reauthenticateWithFactor, startPasskeyLogin } from '#contract/app/factors.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { reauthentication as text } from '#messages/accounts.ts';
import { call, messageFrom } from '#web/api.ts';
import { askForPasskey, supportsPasskeys } from '#web/passkeys.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';

/** Other ways than the password, for people who have set them up. */
export function ConfirmWithFactor({ onDone }: { onDone: () => void }) {
  const own = useFactors();
  const hasPasskey = own?.factors.some(({ kind }) => kind === 'passkey') && supportsPasskeys();
  const hasCodes = own && own.factors.length > 0;
  return (
    <>
      {hasPasskey && <PasskeyButton onDone={onDone} />}
      {hasCodes && <CodeForm onDone={onDone} />}
    </>
  );
}

/** Without an answer, the password remains. */
function useFactors(): ReplyOf<typeof factors> | null {
  const [own, setOwn] = useState<ReplyOf<typeof factors> | null>(null);
  useEffect(() => {
    call(factors, {}).then(setOwn, () => {});
  }, []);
  return own;
}

function PasskeyButton({ onDone }: { onDone: () => void }) {
  const [isBusy, setIsBusy] = useState(false);

  async function show() {
    setIsBusy(true);
    try {
      const { challengeId, passkeyOptions } = await call(startPasskeyLogin, {});
      const passkey = await askForPasskey(passkeyOptions);
      if (passkey) {
        await call(reauthenticateWithFactor, { challengeId, passkey });
        return onDone();
      }
    } catch (error) {
      toast.error(messageFrom(error, text.failed));
    }
    setIsBusy(false);
  }

  return (
    <Button kind="ghost" busy={isBusy} onClick={show}>
      {text.usePasskey}
    </Button>
  );
}

function CodeForm({ onDone }: { onDone: () => void }) {
  const form = useForm(
    factorCodeForm,
    async ({ code }) => {
      await call(reauthenticateWithFactor, { code });
      onDone();
    },
    { fallback: text.failed, rejectedField: 'code' },
  );
  return (
    <Form form={form}>
      <TextField
        label={text.code}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        required
      />
      <Button type="submit" kind="ghost" busy={form.submitting}>
        {text.confirmCode}
      </Button>
    </Form>
  );
}
