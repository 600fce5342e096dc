import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useWakeLock } from '#web/ui/page/use-wake-lock.ts';
import { CameraSelect } from './CameraSelect.tsx';
import { CameraStage } from './CameraStage.tsx';
import { DoorControls } from './DoorControls.tsx';
import { DoorCounts } from './DoorCounts.tsx';
import { DoorStatus } from './DoorStatus.tsx';
import { FindPanel } from './FindPanel.tsx';
import { ManualCheckForm } from './ManualCheckForm.tsx';
import { RecentScans } from './RecentScans.tsx';
import { ScanResult } from './ScanResult.tsx';
import styles from './scanner.module.css';
import { signal, storedMute, storeMute, unlockSoundWhenTouched } from './signals.ts';
import { useCamera } from './use-camera.ts';
import { useCodeReader } from './use-code-reader.ts';
import { useDoor } from './use-door.ts';
import { useDoorGround } from './use-door-ground.ts';
import { useHandScanner } from './use-hand-scanner.ts';

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
