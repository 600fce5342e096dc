import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { FOCUS_STEP, type Focus } from '#domain/sales/photos.ts';
import { arrangeText as text } from '#messages/records/arrange-photos.ts';
import { Button } from '#web/ui/button/Button.tsx';
import styles from './arrange.module.css';
import { focusAt, MIDDLE } from './use-arrangement.ts';

interface FocusPickerProps {
  src: string;
  focus: Focus | null;
  onChange: (focus: Focus | null) => void;
}

const KEYS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** Steps of a press with Shift. */
const BIG = 4;

/** The whole photo with a mark to click, drag or move by keys. */
export function FocusPicker({ src, focus, onChange }: FocusPickerProps) {
  const hint = useId();
  const [isDragged, setIsDragged] = useState(false);
  const { x, y } = focus ?? MIDDLE;

  function press(event: KeyboardEvent) {
    const key = KEYS[event.key];
    if (!key) return;
    event.preventDefault();
    const step = FOCUS_STEP * (event.shiftKey ? BIG : 1);
    onChange(focusAt(x + key[0] * step, y + key[1] * step));
  }

  function point({ currentTarget, clientX, clientY }: PointerEvent) {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    onChange(focusAt(((clientX - left) / width) * 100, ((clientY - top) / height) * 100));
  }

  return (
    <div className={styles.picker}>
      <p id={hint} className={styles.hint}>
        {text.focusHint}
      </p>
      <div
        className={styles.whole}
        role="slider"
        tabIndex={0}
        aria-label={text.focus}
        aria-describedby={hint}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={x}
        aria-valuetext={text.focusAt(x, y)}
        onKeyDown={press}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setIsDragged(true);
          point(event);
        }}
        onPointerMove={(event) => isDragged && point(event)}
        onPointerUp={() => setIsDragged(false)}
        onPointerCancel={() => setIsDragged(false)}
      >
        <img src={src} alt="" draggable={false} />
        {/* Positions in percent are attributes here: the content security policy allows no inline styles. */}
        <svg className={styles.mark} aria-hidden="true">
          <circle cx={`${x}%`} cy={`${y}%`} r="15" />
          <circle cx={`${x}%`} cy={`${y}%`} r="13" />
          <circle cx={`${x}%`} cy={`${y}%`} r="3" />
        </svg>
      </div>
      <Button kind="ghost" className={styles.center} aria-disabled={!focus || undefined} onClick={() => onChange(null)}>
        {text.center}
      </Button>
    </div>
  );
}
