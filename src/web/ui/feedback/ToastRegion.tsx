import type { FocusEvent } from 'react';
import { Slide, ToastContainer, toast } from 'react-toastify/unstyled';
import { DismissButton, TOAST_MS, ToastIcon } from './toast-parts.tsx';

export { toast };

/** Where toasts appear. Loaded by toast.ts together with the library behind it. */
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

/** Time stands still while a message has the focus: its reader may be slow, and its button must not vanish. */
function resumeOutside(event: FocusEvent<HTMLElement>): void {
  if (!event.currentTarget.contains(event.relatedTarget)) toast.play();
}
