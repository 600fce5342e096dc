import type { RefObject } from 'react';
import { Stamp } from '#web/ui/Stamp.tsx';
import styles from './scanner.module.css';
import type { CameraState } from './use-camera.ts';

interface CameraStageProps {
  video: RefObject<HTMLVideoElement | null>;
  camera: CameraState;
  isDecoderBroken: boolean;
  seesCode: boolean;
  isChecking: boolean;
  isAdmitted: boolean;
}

export function CameraStage({ video, camera, isDecoderBroken, seesCode, isChecking, isAdmitted }: CameraStageProps) {
  return (
    <div className={styles.stage} data-camera={camera}>
      <video ref={video} className={styles.video} muted playsInline aria-label="Camera picture" />
      <div className={styles.box} data-kind={isAdmitted ? 'admitted' : undefined} aria-hidden="true">
        {isAdmitted && <Stamp size={170} className={styles.stamp} />}
      </div>
      {/* Plain text and no live region: it changes many times a minute. */}
      <p className={styles.caption}>{caption()}</p>
    </div>
  );

  function caption(): string {
    if (camera === 'denied') return cameraDenied;
    if (camera === 'missing') return cameraMissing;
    if (camera === 'starting') return 'Starting the camera…';
    if (camera === 'off') return 'The scanner is stopped.';
    if (isDecoderBroken) return 'The scanner could not be loaded. Reload the page, or type the codes.';
    if (isChecking) return 'Checking…';
    return seesCode ? 'Code detected.' : 'No code detected.';
  }
}

const cameraDenied =
  "The camera is blocked. Allow it in the browser's settings for this site (the sign beside the address), then start the scanner. Until then, type the codes below.";
const cameraMissing =
  'No camera can be used here. Close other apps that use it and start the scanner again, or type the codes below.';
