import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useWakeLock } from '#web/ui/page/use-wake-lock.ts';
import { CheckInCounts } from './CheckInCounts.tsx';
import { CameraSelect } from './camera/CameraSelect.tsx';
import { CameraStage } from './camera/CameraStage.tsx';
import { useCamera } from './camera/use-camera.ts';
import { ManualCheckForm } from './check-in/ManualCheckForm.tsx';
import { RecentScans } from './check-in/RecentScans.tsx';
import { ScanResult } from './check-in/ScanResult.tsx';
import { signal, storedMute, storeMute, unlockSoundOnGesture } from './check-in/signals.ts';
import { TicketLookup } from './check-in/TicketLookup.tsx';
import { useCheckIn } from './check-in/use-check-in.ts';
import { useCodeReader } from './codes/use-code-reader.ts';
import { useHandheldScanner } from './codes/use-handheld-scanner.ts';
import { ScannerControls } from './ScannerControls.tsx';
import { ScannerHeader } from './ScannerHeader.tsx';
import styles from './scanner.module.css';
import { useScannerBackground } from './use-background.ts';

const CONTROL = 'button, input, select, summary, a';

interface ScanModeProps {
  eventId: string;
  title: string | undefined;
  timezone: string | undefined;
  isCancelled: boolean;
  onGrantEnded: (msg: string) => void;
}

export function ScanMode({ eventId, title, timezone, isCancelled, onGrantEnded }: ScanModeProps) {
  const video = useRef<HTMLVideoElement>(null);
  const manualField = useRef<HTMLInputElement>(null);
  const resultArea = useRef<HTMLDivElement>(null);
  const [isMuted, setIsMuted] = useState(storedMute);
  const [isLookingUp, setIsLookingUp] = useState(false);
  const camera = useCamera(video);
  const checkIn = useCheckIn(eventId, { onResult: (result) => signal(result, isMuted), onGrantEnded });
  const isOn = camera.state === 'on';
  const reader = useCodeReader(video, isOn && !checkIn.isChecking, (code) => {
    camera.keepAwake();
    void checkIn.checkScanned(code);
  });
  const latest = checkIn.results[0];

  useScannerBackground(latest);
  useWakeLock(isOn);
  useHandheldScanner(manualField, (code) => void checkIn.checkScanned(code));
  useEffect(unlockSoundOnGesture, []);

  const startOnMount = useEffectEvent(() => void camera.start());
  useEffect(() => startOnMount(), []);

  useEffect(() => {
    if (!isOn) return;
    if (checkIn.isChecking) video.current?.pause();
    else void video.current?.play();
  }, [isOn, checkIn.isChecking]);

  useEffect(() => {
    if (camera.state !== 'denied' && camera.state !== 'missing') return;
    // The answer can take a while: it moves no one away from what they reached meanwhile.
    if (!document.activeElement?.matches(CONTROL)) manualField.current?.focus({ preventScroll: true });
  }, [camera.state]);

  // Brings the result back into view after a scroll down to the recent scans.
  const latestId = latest?.id;
  useEffect(() => {
    if (latestId !== undefined) resultArea.current?.scrollIntoView({ block: 'nearest' });
  }, [latestId]);

  function start() {
    checkIn.resetLastScan();
    void camera.start();
  }

  return (
    <div className={styles.scanner}>
      <div className={styles.viewfinder} ref={resultArea}>
        <ScannerHeader title={title} checkIn={checkIn} timezone={timezone} />
        <CameraStage
          video={video}
          camera={camera.state}
          isDecoderBroken={reader.isBroken}
          seesCode={reader.seesCode}
          isChecking={checkIn.isChecking}
          isAdmitted={!checkIn.isChecking && latest?.kind === 'admitted' && !latest.isUndone}
          onStart={start}
        />
        <ScanResult latest={latest} isChecking={checkIn.isChecking} isCancelled={isCancelled} onUndo={checkIn.undo} />
      </div>
      <div className={styles.more}>
        <RecentScans results={checkIn.results} timezone={timezone} onUndo={checkIn.undo} />
        <CheckInCounts counts={checkIn.counts} device={checkIn.device} />
        <CameraSelect camera={camera} />
        <p>Stop the scanner when you're not using it. The camera drains the battery.</p>
      </div>
      <div className={styles.bar}>
        <ManualCheckForm field={manualField} onCode={checkIn.checkTyped} />
        <ScannerControls
          camera={camera}
          isMuted={isMuted}
          onMute={(muted) => {
            storeMute(muted);
            setIsMuted(muted);
          }}
          onStart={start}
          onLookUp={() => setIsLookingUp(true)}
        />
      </div>
      <TicketLookup isOpen={isLookingUp} timezone={timezone} checkIn={checkIn} onClose={() => setIsLookingUp(false)} />
    </div>
  );
}
