import { useEffect, useState } from 'react';
import { keepPage } from '#web/keep-page.ts';
import { toast } from '#web/ui/toast.ts';
import { AttendantCodeForm } from './AttendantCodeForm.tsx';
import { isDoorOpen, rememberDoor } from './door-memory.ts';
import { ScanMode } from './ScanMode.tsx';
import styles from './scanner.module.css';
import { useDoorEvent } from './use-door-event.ts';
import { useDoorGround } from './use-door-ground.ts';

function ScannerScreen() {
  const { eventId, title, isReturning } = useDoorEvent();
  const [isOpen, setIsOpen] = useState(() => isReturning && isDoorOpen(eventId));

  function setDoor(open: boolean) {
    rememberDoor(eventId, open);
    setIsOpen(open);
  }

  if (!eventId) return <NoEvent />;
  if (!isOpen) return <AttendantCodeForm eventId={eventId} title={title} onAccepted={() => setDoor(true)} />;
  return (
    <ScanMode
      eventId={eventId}
      title={title}
      onGrantGone={(msg) => {
        toast.error(msg);
        setDoor(false);
      }}
    />
  );
}

function NoEvent() {
  useDoorGround(undefined);
  return (
    <div className={styles.entry}>
      <h1 tabIndex={-1}>Which event?</h1>
      <p>Open the event's page and choose “I am an Attendant”. The scanner then knows whose tickets to check.</p>
    </div>
  );
}

/** The scanner can be installed, and opens without a network. A ticket page is no app of its own: docs/decisions/0034. */
export function Component() {
  useEffect(() => void keepPage('/scanner'), []);
  return (
    <>
      <link rel="manifest" href="/manifest.webmanifest" />
      <ScannerScreen />
    </>
  );
}
