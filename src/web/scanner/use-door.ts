import { useRef, useState } from 'react';
import { checkGuest, checkGuestManual, type DoorResult } from '#contract/admission.ts';
import { findTickets, scanTakenBack, takeBackScan } from '#contract/door.ts';
import { TAKE_BACK_SECONDS } from '#domain/limits.ts';
import { CallError, call } from '#web/api.ts';
import { toast } from '#web/ui/toast.ts';
import { doorMessage, kindOfRefusal, type Outcome } from './outcome.ts';

const SAME_CODE_MS = 3000;
const RECENT_MAX = 20;
/** The contract's limit for a code. Any QR in the world may pass the camera; a longer text is no ticket either way. */
const READ_MAX = 100;

export interface DoorConnection {
  isOnline: boolean;
  /** Of when the list is by which this device decides alone; `null` while it has none. */
  listFrom: Date | null;
  /** Scans that the server has not heard of yet. */
  pending: number;
}

/** Checks one guest after the other, and remembers the last of them. */
export function useDoor(
  eventId: string,
  { onOutcome, onGrantGone }: { onOutcome: (outcome: Outcome) => void; onGrantGone: (msg: string) => void },
) {
  const [isChecking, setIsChecking] = useState(false);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const lastSeen = useRef({ code: '', at: 0 });

  async function check(
    code: string,
    ask: (scanId: string) => Promise<{ msg: string; result: DoorResult }>,
  ): Promise<void> {
    setIsChecking(true);
    const id = crypto.randomUUID();
    const scan = { id, code, isTakenBack: false };
    const outcome = await ask(id).then(
      ({ msg, result }): Outcome => ({
        ...scan,
        kind: result,
        msg,
        at: new Date(),
        canTakeBackUntil: new Date(Date.now() + TAKE_BACK_SECONDS * 1000),
      }),
      (error: unknown): Outcome => {
        const msg = doorMessage(error);
        if (error instanceof CallError && error.status === 401) onGrantGone(msg);
        else toast.error(msg);
        return { ...scan, kind: kindOfRefusal(error), msg, at: new Date(), canTakeBackUntil: null };
      },
    );
    onOutcome(outcome);
    setOutcomes((earlier) => [outcome, ...earlier].slice(0, RECENT_MAX));
    setIsChecking(false);
  }

  /** A ticket that stays in view is one scan, however long it stays. */
  async function scanned(text: string): Promise<void> {
    const code = text.slice(0, READ_MAX);
    const isSame = lastSeen.current.code === code && Date.now() - lastSeen.current.at < SAME_CODE_MS;
    lastSeen.current = { code, at: Date.now() };
    if (isSame) return;
    await check(code, (scanId) => call(checkGuest, { eventId, confirmationNumber: code, scanId }));
    lastSeen.current.at = Date.now();
  }

  const typed = (form: { confirmationNumber: string; honeypot?: string | undefined }) =>
    check(form.confirmationNumber, (scanId) => call(checkGuestManual, { eventId, manualFormData: form, scanId }));

  async function takeBack({ id }: Outcome): Promise<void> {
    try {
      await call(takeBackScan, { eventId, scanId: id });
      setOutcomes((all) => all.map((one) => (one.id === id ? { ...one, isTakenBack: true } : one)));
      toast.success(scanTakenBack);
    } catch (error) {
      toast.error(doorMessage(error));
    }
  }

  const connection: DoorConnection = { isOnline: true, listFrom: null, pending: 0 };
  const counts: readonly { ticketName: string; sold: number; admitted: number }[] = [];
  const device: { name: string; admitted: number } | null = null;

  return {
    isChecking,
    outcomes,
    scanned,
    typed,
    takeBack,
    /** Asks the server only: the device itself knows no numbers. Throws what the call throws. */
    find: (lastDigits: string) => call(findTickets, { eventId, lastDigits }),
    connection,
    counts,
    device: device as { name: string; admitted: number } | null,
    forgetLastSeen() {
      lastSeen.current = { code: '', at: 0 };
    },
  };
}

export type Door = ReturnType<typeof useDoor>;
