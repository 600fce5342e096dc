import { Button } from '#web/ui/Button.tsx';
import styles from './scanner.module.css';
import { unlockSound } from './signals.ts';
import type { useCamera } from './use-camera.ts';

interface DoorControlsProps {
  camera: ReturnType<typeof useCamera>;
  isMuted: boolean;
  onMute: (isMuted: boolean) => void;
  onStart: () => void;
  onEnterCode: () => void;
}

/** All within reach of one thumb. */
export function DoorControls({ camera, isMuted, onMute, onStart, onEnterCode }: DoorControlsProps) {
  const isRunning = camera.state === 'on' || camera.state === 'starting';
  return (
    <div className={styles.controls} role="group" aria-label="Scanner controls">
      {camera.torch.isPresent && (
        <Button kind="ghost" aria-pressed={camera.torch.isLit} onClick={() => void camera.torch.toggle()}>
          Torch
        </Button>
      )}
      {camera.canFlip && isRunning && (
        <Button kind="ghost" onClick={() => void camera.flip()}>
          Flip
        </Button>
      )}
      <Button
        kind="ghost"
        aria-pressed={isMuted}
        onClick={() => {
          unlockSound();
          onMute(!isMuted);
        }}
      >
        Mute
      </Button>
      <Button kind="ghost" onClick={onEnterCode}>
        Enter code
      </Button>
      <Button className={styles.startStop} onClick={isRunning ? camera.stop : onStart}>
        {isRunning ? 'Stop scanner' : 'Start scanner'}
      </Button>
    </div>
  );
}
