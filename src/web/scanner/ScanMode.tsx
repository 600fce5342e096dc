import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useWakeLock } from '#web/ui/use-wake-lock.ts';
import { CameraStage } from './CameraStage.tsx';
import { DoorControls } from './DoorControls.tsx';
import { ManualCheckForm } from './ManualCheckForm.tsx';
import { RecentScans } from './RecentScans.tsx';
import { ScanResult } from './ScanResult.tsx';
import styles from './scanner.module.css';
import { signal, storedMute, storeMute, unlockSound } from './signals.ts';
import { useCamera } from './use-camera.ts';
import { useCodeReader } from './use-code-reader.ts';
import { useDoor } from './use-door.ts';
import { useDoorGround } from './use-door-ground.ts';

interface ScanModeProps {
  eventId: string;
  title: string | undefined;
  onGrantGone: (msg: string) => void;
}

export function ScanMode({ eventId, title, onGrantGone }: ScanModeProps) {
  const video = useRef<HTMLVideoElement>(null);
  const manualField = useRef<HTMLInputElement>(null);
  const [isMuted, setIsMuted] = useState(storedMute);
  const camera = useCamera(video);
  const door = useDoor(eventId, { onOutcome: ({ kind }) => signal(kind, isMuted), onGrantGone });
  const isOn = camera.state === 'on';
  const reader = useCodeReader(video, isOn && !door.isChecking, (code) => void door.scanned(code));
  const latest = door.outcomes[0];

  useDoorGround(latest);
  useWakeLock(isOn);

  const startAtOnce = useEffectEvent(() => void camera.start());
  useEffect(() => startAtOnce(), []);

  useEffect(() => {
    if (!isOn) return;
    if (door.isChecking) video.current?.pause();
    else void video.current?.play();
  }, [isOn, door.isChecking]);

  useEffect(() => {
    if (camera.state === 'denied' || camera.state === 'missing') enterCode(manualField.current);
  }, [camera.state]);

  return (
    <div className={styles.door}>
      <header>
        <p className={styles.overline}>Door scanner</p>
        <h1 tabIndex={-1}>{title ?? 'Check guests in'}</h1>
      </header>
      <CameraStage
        video={video}
        camera={camera.state}
        isDecoderBroken={reader.isBroken}
        seesCode={reader.seesCode}
        isChecking={door.isChecking}
        isAdmitted={!door.isChecking && latest?.kind === 'admitted'}
      />
      <ScanResult latest={latest} isChecking={door.isChecking} />
      <ManualCheckForm field={manualField} onCode={door.typed} />
      <RecentScans outcomes={door.outcomes} />
      <p className={styles.note}>Stop the scanner when it is not in use: the camera drains the battery.</p>
      <DoorControls
        camera={camera}
        isMuted={isMuted}
        onMute={(muted) => {
          storeMute(muted);
          setIsMuted(muted);
        }}
        onStart={() => {
          unlockSound();
          door.forgetLastSeen();
          void camera.start();
        }}
        onEnterCode={() => enterCode(manualField.current)}
      />
    </div>
  );
}

/** Browsers centre what is focused out of view, which would push the camera off a phone's screen. */
function enterCode(field: HTMLInputElement | null) {
  field?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: 'nearest' });
}
