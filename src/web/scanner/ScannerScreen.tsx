import { useEffect, useState } from 'react';
import { shiftEnded } from '#messages/check-in.ts';
import { registerOfflinePage } from '#web/offline-page.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { useFocusOnHeading } from '#web/ui/page/use-focus-on-heading.ts';
import { AttendantCodeForm } from './AttendantCodeForm.tsx';
import { clearPreferences } from './device-preferences.ts';
import { EndShift } from './EndShift.tsx';
import { clearEndedEvents } from './offline/clear-ended-events.ts';
import {
  CheckInSessionContext,
  offlineStore,
  useCreateCheckInSession,
  useSessionState,
} from './offline/use-check-in-session.ts';
import { ScanMode } from './ScanMode.tsx';
import styles from './scanner.module.css';
import { useScannerBackground } from './use-background.ts';
import { useScannerEvent } from './use-scanner-event.ts';

const MANIFEST = '/manifest.webmanifest';

function ScannerScreen() {
  const { eventId, title, timezone } = useScannerEvent();

  if (eventId === null) return <LoadingEvent title={title} />;
  return (
    <>
      <link rel="manifest" href={eventId ? `${MANIFEST}?event=${encodeURIComponent(eventId)}` : MANIFEST} />
      {eventId ? <EventScanner key={eventId} eventId={eventId} title={title} timezone={timezone} /> : <NoEvent />}
    </>
  );
}

interface EventScannerProps {
  eventId: string;
  title: string | undefined;
  timezone: string | undefined;
}

function EventScanner({ eventId, title: eventTitle, timezone: eventTimezone }: EventScannerProps) {
  const session = useCreateCheckInSession(eventId);
  const {
    isLoaded,
    isOpen,
    isCancelled,
    login,
    pending,
    closedReason,
    title: savedTitle,
    timezone: savedTimezone,
  } = useSessionState(session);
  /** Keeps the scanner on screen after the session closes, until it has shown the reason. */
  const [isScanning, setIsScanning] = useState(false);
  const [hasScanned, setHasScanned] = useState(false);
  const isEntry = !isOpen && !isScanning;
  const title = eventTitle ?? savedTitle ?? undefined;

  // The button that ended the shift is gone, and the form is above it.
  useFocusOnHeading(hasScanned && isEntry);

  useEffect(() => void clearEndedEvents(offlineStore(), Date.now(), eventId).catch(() => {}), [eventId]);
  useEffect(() => {
    if (!isOpen) return;
    setIsScanning(true);
    setHasScanned(true);
  }, [isOpen]);

  async function leave() {
    setIsScanning(false);
    await session.leave();
    clearPreferences();
    toast.success(shiftEnded);
  }

  if (!isLoaded) return <LoadingEvent title={title} />;
  if (isEntry) {
    return (
      <AttendantCodeForm
        eventId={eventId}
        title={title}
        pending={pending}
        closedReason={closedReason}
        login={login}
        onReturn={() => session.enterAsMember()}
        onAccepted={() => session.open(title ?? null)}
        onDiscard={leave}
      />
    );
  }
  return (
    <CheckInSessionContext value={session}>
      <ScanMode
        eventId={eventId}
        title={title}
        timezone={savedTimezone ?? eventTimezone}
        isCancelled={isCancelled}
        onGrantEnded={(msg) => {
          toast.error(msg);
          setIsScanning(false);
        }}
      />
      <EndShift pending={pending} onLeave={leave} />
    </CheckInSessionContext>
  );
}

function LoadingEvent({ title }: { title: string | undefined }) {
  useScannerBackground(undefined);
  return (
    <div className={styles.entry}>
      <h1 tabIndex={-1}>{title ?? 'Check guests in'}</h1>
    </div>
  );
}

function NoEvent() {
  useScannerBackground(undefined);
  return (
    <div className={styles.entry}>
      <h1 tabIndex={-1}>Which event?</h1>
      <p>Open the event page and choose “I am an Attendant”.</p>
    </div>
  );
}

/** The scanner is installable and opens offline; a ticket page is not an app of its own: docs/decisions/0034. */
export function Component() {
  useEffect(() => void registerOfflinePage('/scanner'), []);
  return <ScannerScreen />;
}
