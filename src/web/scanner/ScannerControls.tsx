import { Button } from '#web/ui/button/Button.tsx';
import text from '#web/ui/styles/text.module.css';
import type { Camera } from './camera/use-camera.ts';
import { ScannerIcon } from './ScannerIcon.tsx';
import styles from './scanner.module.css';

interface ScannerControlsProps {
  camera: Camera;
  isMuted: boolean;
  onMute: (isMuted: boolean) => void;
  onStart: () => void;
  onLookUp: () => void;
}

export function ScannerControls({ camera, isMuted, onMute, onStart, onLookUp }: ScannerControlsProps) {
  const isRunning = camera.state === 'on' || camera.state === 'starting';
  return (
    <div className={styles.controls} role="group" aria-label="Scanner controls">
      {camera.torch.isPresent && (
        <Button
          kind="ghost"
          aria-label="Flashlight"
          title="Flashlight"
          aria-pressed={camera.torch.isLit}
          onClick={() => void camera.torch.toggle()}
        >
          <ScannerIcon name="torch" />
        </Button>
      )}
      {camera.cameras.length > 1 && isRunning && (
        <Button kind="ghost" aria-label="Flip camera" title="Flip camera" onClick={() => void camera.flip()}>
          <ScannerIcon name="flip" />
        </Button>
      )}
      <Button
        kind="ghost"
        aria-label="Sound off"
        title="Sound off"
        aria-pressed={isMuted}
        onClick={() => onMute(!isMuted)}
      >
        <ScannerIcon name={isMuted ? 'muted' : 'sound'} />
      </Button>
      <Button kind="ghost" className={styles.wide} onClick={onLookUp}>
        Find
      </Button>
      <Button className={styles.startStop} onClick={isRunning ? camera.stop : onStart}>
        {isRunning ? 'Stop' : 'Start'}
        <span className={text.srOnly}> scanner</span>
      </Button>
    </div>
  );
}
