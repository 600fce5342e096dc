import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { afterKey, noBurst, scannedInto } from './keystroke-burst.ts';

/**
 * Scanners that plug in or pair as keyboards. What they type counts wherever the focus is; only a field that somebody fills
 * keeps its keys. In `codeField` the number stays and Enter sends it, as it does for fingers.
 */
export function useHandScanner(codeField: RefObject<HTMLInputElement | null>, onScan: (code: string) => void) {
  const burst = useRef(noBurst);
  const tell = useEffectEvent(onScan);

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const isCodeField = event.target === codeField.current;
      if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || (isField(event.target) && !isCodeField)) {
        burst.current = noBurst;
        return;
      }
      const after = afterKey(burst.current, { key: event.key, at: event.timeStamp });
      burst.current = after.burst;
      if (after.scan === null) return;
      if (isCodeField) {
        const field = codeField.current;
        if (field) field.value = scannedInto(field.value, after.scan);
        return;
      }
      // Enter would press the button that has the focus.
      event.preventDefault();
      event.stopPropagation();
      tell(after.scan);
    }

    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [codeField]);
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
