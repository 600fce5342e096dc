import { type FocusEvent, useEffect } from 'react';
import { Slide, ToastContainer, toast } from 'react-toastify/unstyled';
import { Icon } from './Icon.tsx';

const TOAST_MS = 5000;

export { toast };

/** Where toasts appear. Loaded by toast.ts together with the library behind it. */
export function ToastRegion() {
  useEffect(() => {
    document.addEventListener('keydown', dismissNewest, true);
    return () => document.removeEventListener('keydown', dismissNewest, true);
  }, []);

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
        icon={({ type }) => <Icon name={type === 'success' ? 'check' : 'octagon'} />}
        closeButton={({ closeToast }) => (
          <button type="button" className="Toastify__close-button" aria-label="Dismiss message" onClick={closeToast}>
            <Icon name="close" size={18} />
          </button>
        )}
      />
    </div>
  );
}

/** Time stands still while a message has the focus: its reader may be slow, and its button must not vanish. */
function resumeOutside(event: FocusEvent<HTMLElement>): void {
  if (!event.currentTarget.contains(event.relatedTarget)) toast.play();
}

/** Esc takes the newest message first, and only then closes a dialog: a half-written form is worth one more key. */
function dismissNewest(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  const newest = [...document.querySelectorAll<HTMLElement>('#toasts .Toastify__toast[data-in="true"]')].at(-1);
  if (!newest) return;
  event.preventDefault();
  toast.dismiss(newest.id);
}
