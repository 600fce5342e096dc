import { useEffect, useState } from 'react';
import { doorLeft } from '#contract/door.ts';
import { keepPage } from '#web/keep-page.ts';
import { toast } from '#web/ui/toast.ts';
import { AttendantCodeForm } from './AttendantCodeForm.tsx';
import { forgetPreferences } from './device-preferences.ts';
import { LeaveDoor } from './EndShift.tsx';
import { forgetEndedDoors } from './offline/clear-ended-events.ts';
import { DoorKeeperContext, doorStore, useDoorState, useOwnDoorKeeper } from './offline/use-check-in-session.ts';
import { ScanMode } from './ScanMode.tsx';
import styles from './scanner.module.css';
import { useDoorGround } from './use-background.ts';
import { useDoorEvent } from './use-scanner-event.ts';

const MANIFEST = '/manifest.webmanifest';

function ScannerScreen() {
  const { eventId, title, timezone } = useDoorEvent();

  if (eventId === null) return <Waiting title={title} />;
  return (
    <>
      <link rel="manifest" href={eventId ? `${MANIFEST}?event=${encodeURIComponent(eventId)}` : MANIFEST} />
      {eventId ? <DoorOfEvent key={eventId} eventId={eventId} title={title} timezone={timezone} /> : <NoEvent />}
    </>
  );
}

interface DoorOfEventProps {
  eventId: string;
  title: string | undefined;
  timezone: string | undefined;
}

function DoorOfEvent({ eventId, title: toldTitle, timezone: toldTimezone }: DoorOfEventProps) {
  const keeper = useOwnDoorKeeper(eventId);
  const { isLoaded, isOpen, pending, closedBecause, title: keptTitle, timezone: keptTimezone } = useDoorState(keeper);
  /** Until the scanner has heard that the door was closed, it stays, and says why. */
  const [isIn, setIsIn] = useState(false);
  const title = toldTitle ?? keptTitle ?? undefined;

  useEffect(() => void forgetEndedDoors(doorStore(), Date.now(), eventId).catch(() => {}), [eventId]);
  useEffect(() => {
    if (isOpen) setIsIn(true);
  }, [isOpen]);

  async function leave() {
    setIsIn(false);
    await keeper.leave();
    forgetPreferences();
    toast.success(doorLeft);
  }

  if (!isLoaded) return <Waiting title={title} />;
  if (!isOpen && !isIn) {
    return (
      <AttendantCodeForm
        eventId={eventId}
        title={title}
        pending={pending}
        whyClosed={closedBecause}
        onAccepted={() => keeper.open(title ?? null)}
        onDiscard={leave}
      />
    );
  }
  return (
    <DoorKeeperContext value={keeper}>
      <ScanMode
        eventId={eventId}
        title={title}
        timezone={keptTimezone ?? toldTimezone}
        onGrantGone={(msg) => {
          toast.error(msg);
          setIsIn(false);
        }}
      />
      <LeaveDoor pending={pending} onLeave={leave} />
    </DoorKeeperContext>
  );
}

function Waiting({ title }: { title: string | undefined }) {
  useDoorGround(undefined);
  return (
    <div className={styles.entry}>
      <h1 tabIndex={-1}>{title ?? 'Check guests in'}</h1>
    </div>
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
  return <ScannerScreen />;
}
