import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { checkGuest, checkGuestManual } from '#contract/app/check-in.ts';
import { findTickets } from '#contract/app/check-in-devices.ts';
import { checkInFoundGuest, findGuests, nameSearch } from '#contract/app/sales/find-guests.ts';
import { UNDO_SECONDS } from '#domain/limits.ts';
import { shiftEnded } from '#messages/check-in.ts';
import { call } from '#web/api.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { useWarnBeforeLeaving } from '#web/ui/page/use-warn-before-leaving.ts';
import type { CheckInRequest, CheckInSession, CheckResult } from '../offline/check-in-session.ts';
import { startSyncLoop } from '../offline/sync/sync-loop.ts';
import { useCheckInSession, useSessionState } from '../offline/use-check-in-session.ts';
import { type CheckInResult, checkInMessage, isAccepted } from './check-in-result.ts';

const DUPLICATE_MS = 3000;
const RECENT_MAX = 20;
const EXPIRY_CHECK_MS = 30_000;
/** The API's limit for a code. The camera reads any QR code; a longer text is never a ticket. */
const CODE_LENGTH_MAX = 100;

export interface ConnectionState {
  isOnline: boolean;
  /** When the offline ticket list was read; `null` without a list. */
  listAsOf: Date | null;
  /** Scans that have not synced yet. */
  pending: number;
}

/** Checks guests one at a time and keeps the most recent results. */
export function useCheckIn(
  eventId: string,
  { onResult, onGrantEnded }: { onResult: (result: CheckInResult) => void; onGrantEnded: (msg: string) => void },
) {
  const session = useCheckInSession();
  const { isOpen, isOnline, listAsOf, pending, counts, device, closedReason } = useSessionState(session);
  const [isChecking, setIsChecking] = useState(false);
  const [results, setResults] = useState<readonly CheckInResult[]>([]);
  const lastScan = useRef({ code: '', at: 0 });

  useSyncWhileOpen(session);
  useWarnBeforeLeaving(pending > 0);

  const grantEnded = useEffectEvent(onGrantEnded);
  useEffect(() => {
    // Without a reason, another tab has ended the shift.
    if (!isOpen) grantEnded(closedReason ?? shiftEnded);
  }, [isOpen, closedReason]);

  const check = (code: string, request: CheckInRequest) => show(code, () => session.check(code, request));

  async function show(code: string, decide: () => Promise<CheckResult>): Promise<void> {
    // An offline decision is instant, so it skips the "Checking…" state.
    if (isOnline || !listAsOf) setIsChecking(true);
    const { scanId, kind, msg, notes, failure } = await decide();
    const isDone = isAccepted(kind);
    const result: CheckInResult = {
      id: scanId,
      kind,
      msg,
      notes,
      failure,
      code,
      at: new Date(),
      undoUntil: isDone ? new Date(Date.now() + UNDO_SECONDS * 1000) : null,
      isUndone: false,
    };
    // The code that closes the session shows the reason, so it isn't repeated here. `not-on-list` isn't a denial: no red toast.
    const isDenied = !isDone && kind !== 'not-on-list';
    const alert = failure ?? (isDenied ? msg : null);
    if (!isDone && alert !== null && session.state().closedReason === null) toast.error(alert);
    onResult(result);
    // A retry reuses the id of the scan that got no answer, and replaces its result.
    setResults((earlier) => [result, ...earlier.filter(({ id }) => id !== scanId)].slice(0, RECENT_MAX));
    setIsChecking(false);
  }

  /** Ignores a code that stays in view. */
  async function checkScanned(text: string): Promise<void> {
    const code = text.slice(0, CODE_LENGTH_MAX);
    const isDuplicate = lastScan.current.code === code && Date.now() - lastScan.current.at < DUPLICATE_MS;
    lastScan.current = { code, at: Date.now() };
    if (isDuplicate) return;
    await check(code, (scanId, signal) => call(checkGuest, { eventId, confirmationNumber: code, scanId }, { signal }));
    lastScan.current.at = Date.now();
  }

  const checkTyped = (form: { confirmationNumber: string; honeypot?: string | undefined }) =>
    check(form.confirmationNumber, (scanId, signal) =>
      call(checkGuestManual, { eventId, manualFormData: form, scanId }, { signal }),
    );

  const checkFound = (ticketId: string, lastDigits: string) =>
    show(`…${lastDigits}`, () =>
      session.checkFound(ticketId, (scanId, signal) =>
        call(checkInFoundGuest, { eventId, ticketId, scanId }, { signal }),
      ),
    );

  const resetLastScan = useCallback(() => {
    lastScan.current = { code: '', at: 0 };
  }, []);

  const undo = useCallback(
    async ({ id }: CheckInResult): Promise<void> => {
      try {
        const msg = await session.undo(id);
        setResults((all) => all.map((one) => (one.id === id ? { ...one, isUndone: true } : one)));
        resetLastScan();
        toast.success(msg);
      } catch (error) {
        toast.error(checkInMessage(error));
      }
    },
    [session, resetLastScan],
  );

  const connection: ConnectionState = { isOnline, listAsOf, pending };
  return {
    isChecking,
    results,
    checkScanned,
    checkTyped,
    undo,
    /** Needs the network: the offline list has hashes, not numbers. Throws what the call throws. */
    lookUp: (lastDigits: string) => call(findTickets, { eventId, lastDigits }),
    /** Asked each time, because the organizer can change it during the event. */
    mayFindByName: () => call(nameSearch, { eventId }),
    findByName: (name: string) => call(findGuests, { eventId, name }),
    checkFound,
    connection,
    counts,
    device,
    resetLastScan,
  };
}

/** Syncs while the scanner is open, and closes the session when its grant expires. */
function useSyncWhileOpen(session: CheckInSession): void {
  useEffect(() => {
    const stopSync = startSyncLoop(() => session.sync());
    const timer = setInterval(() => void session.closeIfExpired(), EXPIRY_CHECK_MS);
    return () => {
      stopSync();
      clearInterval(timer);
    };
  }, [session]);
}

export type CheckIn = ReturnType<typeof useCheckIn>;
