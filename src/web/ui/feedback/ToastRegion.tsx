import type { FocusEvent } from 'react';
import { Slide, ToastContainer, toast } from 'react-toastify/unstyled';
import { DismissButton, TOAST_MS, ToastIcon } from './toast-parts.tsx';

export { toast };

/** The toast container. toast.ts loads it together with the toast library. */
export function ToastRegion() {
  return (
    <div onFocus={() => toast.pause()} onBlur={resumeOutside}>
      <ToastContainer
        position="top-right"
        autoClose={TOAST_MS}
        pauseOnHover
        pauseOnFocusLoss
        draggable={false}
        transition={Slide}
        aria-label="Messages"
        icon={({ type }) => <ToastIcon kind={type} />}
        closeButton={({ closeToast }) => <DismissButton onClick={() => closeToast()} />}
      />
    </div>
  );
}

/** Timers pause while a toast has the focus: its reader may be slow, and its button must not disappear. */
function resumeOutside(event: FocusEvent<HTMLElement>): void {
  if (!event.currentTarget.contains(event.relatedTarget)) toast.play();
}
