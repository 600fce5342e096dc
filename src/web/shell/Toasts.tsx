import { useEffect, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Icon } from '#web/ui/Icon.tsx';
import { currentToasts, loadToasts, type PlainToast, toast, watchToasts } from '#web/ui/toast.ts';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import '#web/ui/toasts.css';

/** Outside the page's root: an open dialog makes the page inert, and the toasts must stay alive (see ui/use-modal.ts). */
export function Toasts() {
  const { Region, plain } = useSyncExternalStore(watchToasts, currentToasts, currentToasts);
  useEffect(loadWithFirstTouch, []);

  // The server has no document.
  if (!useHydrated() || (!Region && plain.length === 0)) return null;
  return createPortal(
    <>
      {Region && <Region />}
      {plain.length > 0 && <PlainToasts toasts={plain} />}
    </>,
    document.getElementById('toasts') ?? document.body,
  );
}

function loadWithFirstTouch(): () => void {
  const load = () => void loadToasts();
  const gestures = ['pointerdown', 'keydown', 'focusin'] as const;
  for (const gesture of gestures) document.addEventListener(gesture, load, { once: true, passive: true });
  return () => {
    for (const gesture of gestures) document.removeEventListener(gesture, load);
  };
}

/** Each stays until it is dismissed. */
function PlainToasts({ toasts }: { toasts: readonly PlainToast[] }) {
  return (
    <section className="Toastify__toast-container" aria-label="Messages">
      {toasts.map(({ id, kind, msg }) => (
        <div
          key={id}
          className={`Toastify__toast Toastify__toast--${kind}`}
          role={kind === 'error' ? 'alert' : 'status'}
        >
          <div className="Toastify__toast-icon">
            <Icon name={kind === 'success' ? 'check' : 'octagon'} />
          </div>
          {msg}
          <button
            type="button"
            className="Toastify__close-button"
            aria-label="Dismiss message"
            onClick={() => toast.dismissPlain(id)}
          >
            <Icon name="close" size={18} />
          </button>
        </div>
      ))}
    </section>
  );
}
