import type { RefObject } from 'react';
import { Button } from '#web/ui/button/Button.tsx';
import { Stamp } from '#web/ui/ticket/Stamp.tsx';
import styles from '../scanner.module.css';
import type { CameraState } from './use-camera.ts';

interface CameraStageProps {
  video: RefObject<HTMLVideoElement | null>;
  camera: CameraState;
  isDecoderBroken: boolean;
  seesCode: boolean;
  isChecking: boolean;
  isAdmitted: boolean;
  onStart: () => void;
}

export function CameraStage({ video, camera, isAdmitted, onStart, ...seen }: CameraStageProps) {
  return (
    <div className={styles.stage} data-camera={camera}>
      <video ref={video} className={styles.video} muted playsInline aria-label="Camera view" />
      <div className={styles.box} data-kind={isAdmitted ? 'admitted' : undefined} aria-hidden="true">
        {isAdmitted && <Stamp size={170} className={styles.stamp} />}
      </div>
      <div className={styles.caption}>
        {/* Not a live region: it changes many times a minute. */}
        <p>{camera === 'on' ? captionOf(seen) : captions[camera]}</p>
        {camera === 'paused' && (
          <Button kind="gold" onClick={onStart}>
            Resume
          </Button>
        )}
      </div>
    </div>
  );
}

function captionOf(seen: Pick<CameraStageProps, 'isDecoderBroken' | 'isChecking' | 'seesCode'>): string {
  if (seen.isDecoderBroken) return "The scanner couldn't load. Reload the page, or type the codes.";
  if (seen.isChecking) return 'Checking…';
  return seen.seesCode ? 'Code detected.' : 'No code detected.';
}

const captions: Record<Exclude<CameraState, 'on'>, string> = {
  off: 'The scanner is stopped.',
  starting: 'Starting the camera…',
  paused: 'Camera paused to save battery.',
  denied:
    "The camera is blocked. Allow it in your browser's settings for this site, then start the scanner. Until then, type the codes below.",
  missing: 'No camera available. Close other apps that use it and start the scanner again, or type the codes below.',
};
