import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { checkGuest, checkGuestManual, type DoorResult } from '#contract/admission.ts';
import { doorLeft, findTickets } from '#contract/door.ts';
import { TAKE_BACK_SECONDS } from '#domain/limits.ts';
import { call } from '#web/api.ts';
import { toast } from '#web/ui/toast.ts';
import type { DoorKeeper } from '../offline/check-in-session.ts';
import { startNews } from '../offline/sync/sync-loop.ts';
import { useWarnBeforeLeaving } from '../offline/sync/use-warn-before-leaving.ts';
import { useDoorKeeper, useDoorState } from '../offline/use-check-in-session.ts';
import { doorMessage, type Outcome } from './check-in-result.ts';

const SAME_CODE_MS = 3000;
const RECENT_MAX = 20;
const OVER_EVERY_MS = 30_000;
/** The contract's limit for a code. Any QR code may pass the camera; a longer text is no ticket either way. */
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
  const keeper = useDoorKeeper();
  const { isOpen, isOnline, listFrom, pending, counts, device, closedBecause } = useDoorState(keeper);
  const [isChecking, setIsChecking] = useState(false);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const lastSeen = useRef({ code: '', at: 0 });

  useAttendance(keeper);
  useWarnBeforeLeaving(pending > 0);

  const tellGone = useEffectEvent(onGrantGone);
  useEffect(() => {
    // Without a reason of its own, another tab has left the door.
    if (!isOpen) tellGone(closedBecause ?? doorLeft);
  }, [isOpen, closedBecause]);

  async function check(
    code: string,
    ask: (scanId: string, signal: AbortSignal) => Promise<{ msg: string; result: DoorResult }>,
  ): Promise<void> {
    // What the device decides alone is there at once: no picture comes between.
    if (isOnline || !listFrom) setIsChecking(true);
    const { scanId, kind, msg, failure } = await keeper.check(code, ask);
    const isLetIn = kind === 'admitted' || kind === 'admitted-offline';
    const outcome: Outcome = {
      id: scanId,
      kind,
      msg,
      failure,
      code,
      at: new Date(),
      canTakeBackUntil: isLetIn ? new Date(Date.now() + TAKE_BACK_SECONDS * 1000) : null,
      isTakenBack: false,
    };
    // Why the door was closed is said once, by whoever closes it; a toast is red, and not being on the list is no refusal.
    const isRefused = !isLetIn && kind !== 'not-on-list';
    const alert = failure ?? (isRefused ? msg : null);
    if (!isLetIn && alert !== null && keeper.state().closedBecause === null) toast.error(alert);
    onOutcome(outcome);
    // Whose answer had not come, tries again with the same scan.
    setOutcomes((earlier) => [outcome, ...earlier.filter(({ id }) => id !== scanId)].slice(0, RECENT_MAX));
    setIsChecking(false);
  }

  /** A ticket that stays in view is one scan, however long it stays. */
  async function scanned(text: string): Promise<void> {
    const code = text.slice(0, READ_MAX);
    const isSame = lastSeen.current.code === code && Date.now() - lastSeen.current.at < SAME_CODE_MS;
    lastSeen.current = { code, at: Date.now() };
    if (isSame) return;
    await check(code, (scanId, signal) => call(checkGuest, { eventId, confirmationNumber: code, scanId }, { signal }));
    lastSeen.current.at = Date.now();
  }

  const typed = (form: { confirmationNumber: string; honeypot?: string | undefined }) =>
    check(form.confirmationNumber, (scanId, signal) =>
      call(checkGuestManual, { eventId, manualFormData: form, scanId }, { signal }),
    );

  const forgetLastSeen = useCallback(() => {
    lastSeen.current = { code: '', at: 0 };
  }, []);

  const takeBack = useCallback(
    async ({ id }: Outcome): Promise<void> => {
      try {
        const msg = await keeper.takeBack(id);
        setOutcomes((all) => all.map((one) => (one.id === id ? { ...one, isTakenBack: true } : one)));
        forgetLastSeen();
        toast.success(msg);
      } catch (error) {
        toast.error(doorMessage(error));
      }
    },
    [keeper, forgetLastSeen],
  );

  const connection: DoorConnection = { isOnline, listFrom, pending };
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
    device,
    forgetLastSeen,
  };
}

/** As long as somebody is at the door: asks for news, hands in, and closes when the time is over. */
function useAttendance(keeper: DoorKeeper): void {
  useEffect(() => {
    const stopNews = startNews(() => keeper.askForNews());
    const clock = setInterval(() => void keeper.closeIfOver(), OVER_EVERY_MS);
    return () => {
      stopNews();
      clearInterval(clock);
    };
  }, [keeper]);
}

export type Door = ReturnType<typeof useDoor>;
