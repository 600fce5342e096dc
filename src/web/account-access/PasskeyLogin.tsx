import { useState } from 'react';
import { passkeyLogin, startPasskeyLogin } from '#contract/app/factors.ts';
import { factorLogin as text } from '#messages/accounts/factors.ts';
import { call, messageFrom } from '#web/api.ts';
import { askForPasskey, supportsPasskeys } from '#web/passkeys.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { useHydrated } from '#web/ui/page/use-hydrated.ts';

/** Logs in without an email or a password. */
export function PasskeyLogin({ onLoggedIn }: { onLoggedIn: (session: { token: string }) => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  const isHydrated = useHydrated();

  async function logIn() {
    setBusy(true);
    try {
      const { challengeId, passkeyOptions } = await call(startPasskeyLogin, {});
      const passkey = await askForPasskey(passkeyOptions);
      if (passkey) await onLoggedIn(await call(passkeyLogin, { challengeId, passkey }));
    } catch (error) {
      toast.error(messageFrom(error, text.passkeyFailed));
    }
    setBusy(false);
  }

  if (!isHydrated || !supportsPasskeys()) return null;
  return (
    <Button kind="ghost" busy={isBusy} onClick={logIn}>
      {text.withPasskey}
    </Button>
  );
}
