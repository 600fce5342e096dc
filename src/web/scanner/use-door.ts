import { useRef, useState } from 'react';
import { checkGuest, checkGuestManual } from '#contract/admission.ts';
import { CallError, call } from '#web/api.ts';
import { toast } from '#web/ui/toast.ts';
import { type Outcome, refusalOutcome } from './outcome.ts';
import { signal } from './signals.ts';

const SAME_CODE_MS = 3000;
const RECENT_MAX = 20;
/** The contract's limit for a code. Any QR in the world may pass the camera; a longer text is no ticket either way. */
const READ_MAX = 100;

/** Checks one guest after the other, and remembers the last of them. */
export function useDoor(eventId: string, isMuted: boolean, onGrantGone: (msg: string) => void) {
  const [isChecking, setIsChecking] = useState(false);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const lastSeen = useRef({ code: '', at: 0 });

  async function check(code: string, ask: () => Promise<{ msg: string }>) {
    setIsChecking(true);
    const outcome = await ask().then(
      ({ msg }): Outcome => ({ kind: 'admitted', msg, code, at: new Date() }),
      (error: unknown) => {
        const refusal = refusalOutcome(error, code);
        if (error instanceof CallError && error.status === 401) onGrantGone(refusal.msg);
        else toast.error(refusal.msg);
        return refusal;
      },
    );
    signal(outcome.kind, isMuted);
    setOutcomes((earlier) => [outcome, ...earlier].slice(0, RECENT_MAX));
    setIsChecking(false);
    return outcome;
  }

  /** A ticket that stays in view is one scan, however long it stays. */
  async function scanned(text: string) {
    const code = text.slice(0, READ_MAX);
    const isSame = lastSeen.current.code === code && Date.now() - lastSeen.current.at < SAME_CODE_MS;
    lastSeen.current = { code, at: Date.now() };
    if (isSame) return;
    await check(code, () => call(checkGuest, { eventId, confirmationNumber: code }));
    lastSeen.current.at = Date.now();
  }

  const typed = (form: { confirmationNumber: string; honeypot?: string | undefined }) =>
    check(form.confirmationNumber, () => call(checkGuestManual, { eventId, manualFormData: form }));

  return {
    isChecking,
    outcomes,
    scanned,
    typed,
    forgetLastSeen() {
      lastSeen.current = { code: '', at: 0 };
    },
  };
}
