import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { afterKey, noBurst, valueAfterScan } from './keystroke-burst.ts';

/**
 * Listens for handheld scanners that act as keyboards, wherever the focus is, except in other form fields. In `codeField`, the
 * number stays and Enter submits it, as for typed input.
 */
export function useHandheldScanner(codeField: RefObject<HTMLInputElement | null>, onScan: (code: string) => void) {
  const burst = useRef(noBurst);
  const handleScan = useEffectEvent(onScan);

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const isCodeField = event.target === codeField.current;
      if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || (isField(event.target) && !isCodeField)) {
        burst.current = noBurst;
        return;
      }
      const next = afterKey(burst.current, { key: event.key, at: event.timeStamp });
      burst.current = next.burst;
      if (next.scan === null) return;
      if (isCodeField) {
        const field = codeField.current;
        if (field) field.value = valueAfterScan(field.value, next.scan);
        return;
      }
      // Enter would activate the focused button.
      event.preventDefault();
      event.stopPropagation();
      handleScan(next.scan);
    }

    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [codeField]);
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
