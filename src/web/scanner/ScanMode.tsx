import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useWakeLock } from '#web/ui/use-wake-lock.ts';
import { DoorCounts } from './CheckInCounts.tsx';
import { CameraSelect } from './camera/CameraSelect.tsx';
import { CameraStage } from './camera/CameraStage.tsx';
import { useCamera } from './camera/use-camera.ts';
import { ManualCheckForm } from './check-in/ManualCheckForm.tsx';
import { RecentScans } from './check-in/RecentScans.tsx';
import { ScanResult } from './check-in/ScanResult.tsx';
import { signal, storedMute, storeMute, unlockSoundWhenTouched } from './check-in/signals.ts';
import { FindPanel } from './check-in/TicketLookup.tsx';
import { useDoor } from './check-in/use-check-in.ts';
import { useCodeReader } from './codes/use-code-reader.ts';
import { useHandScanner } from './codes/use-handheld-scanner.ts';
import { DoorControls } from './ScannerControls.tsx';
import { DoorStatus } from './ScannerHeader.tsx';
import styles from './scanner.module.css';
import { useDoorGround } from './use-background.ts';

interface ScanModeProps {
  eventId: string;
  title: string | undefined;
  timezone: string | undefined;
  onGrantGone: (msg: string) => void;
}

export function ScanMode({ eventId, title, timezone, onGrantGone }: ScanModeProps) {
  const video = useRef<HTMLVideoElement>(null);
  const manualField = useRef<HTMLInputElement>(null);
  const answer = useRef<HTMLDivElement>(null);
  const [isMuted, setIsMuted] = useState(storedMute);
  const [isFinding, setIsFinding] = useState(false);
  const camera = useCamera(video);
  const door = useDoor(eventId, { onOutcome: (outcome) => signal(outcome, isMuted), onGrantGone });
  const isOn = camera.state === 'on';
  const reader = useCodeReader(video, isOn && !door.isChecking, (code) => {
    camera.stir();
    void door.scanned(code);
  });
  const latest = door.outcomes[0];

  useDoorGround(latest);
  useWakeLock(isOn);
  useHandScanner(manualField, (code) => void door.scanned(code));
  useEffect(unlockSoundWhenTouched, []);

  const startAtOnce = useEffectEvent(() => void camera.start());
  useEffect(() => startAtOnce(), []);

  useEffect(() => {
    if (!isOn) return;
    if (door.isChecking) video.current?.pause();
    else void video.current?.play();
  }, [isOn, door.isChecking]);

  useEffect(() => {
    if (camera.state === 'denied' || camera.state === 'missing') manualField.current?.focus({ preventScroll: true });
  }, [camera.state]);

  // Whoever has scrolled down to the last scans sees the next answer all the same.
  const latestId = latest?.id;
  useEffect(() => {
    if (latestId !== undefined) answer.current?.scrollIntoView({ block: 'nearest' });
  }, [latestId]);

  function start() {
    door.forgetLastSeen();
    void camera.start();
  }

  return (
    <div className={styles.door}>
      <div className={styles.sight} ref={answer}>
        <DoorStatus title={title} door={door} timezone={timezone} />
        <CameraStage
          video={video}
          camera={camera.state}
          isDecoderBroken={reader.isBroken}
          seesCode={reader.seesCode}
          isChecking={door.isChecking}
          isAdmitted={!door.isChecking && latest?.kind === 'admitted' && !latest.isTakenBack}
          onStart={start}
        />
        <ScanResult latest={latest} isChecking={door.isChecking} onTakeBack={door.takeBack} />
      </div>
      <div className={styles.more}>
        <RecentScans outcomes={door.outcomes} timezone={timezone} onTakeBack={door.takeBack} />
        <DoorCounts counts={door.counts} device={door.device} />
        <CameraSelect camera={camera} />
        <p className={styles.note}>Stop the scanner when it is not in use: the camera drains the battery.</p>
      </div>
      <div className={styles.bar}>
        <ManualCheckForm field={manualField} onCode={door.typed} />
        <DoorControls
          camera={camera}
          isMuted={isMuted}
          onMute={(muted) => {
            storeMute(muted);
            setIsMuted(muted);
          }}
          onStart={start}
          onFind={() => setIsFinding(true)}
        />
      </div>
      <FindPanel
        isOpen={isFinding}
        isOnline={door.connection.isOnline}
        timezone={timezone}
        find={door.find}
        onClose={() => setIsFinding(false)}
      />
    </div>
  );
}
