import { useEffect, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { currentToasts, loadToasts, type PlainToast, toast, watchToasts } from '#web/ui/feedback/toast.ts';
import { DismissButton, ToastIcon } from '#web/ui/feedback/toast-parts.tsx';
import { useHydrated } from '#web/ui/page/use-hydrated.ts';
import '#web/ui/feedback/toasts.css';

/**
 * Rendered outside #root: an open dialog makes the page inert, and toasts must stay usable (see
 * ui/dialog/use-modal.ts).
 */
export function Toasts() {
  const { Region, plain } = useSyncExternalStore(watchToasts, currentToasts, currentToasts);
  useEffect(loadWithFirstTouch, []);
  useEffect(() => {
    document.addEventListener('keydown', dismissNewest, true);
    return () => document.removeEventListener('keydown', dismissNewest, true);
  }, []);

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

/** Esc dismisses the newest toast first and only then closes a dialog, to protect half-filled forms. */
function dismissNewest(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  const newest = [...document.querySelectorAll('#toasts .Toastify__toast[data-in="true"]')].at(-1);
  const dismiss = newest?.querySelector<HTMLElement>('.Toastify__close-button');
  if (!dismiss) return;
  event.preventDefault();
  dismiss.click();
}

function PlainToasts({ toasts }: { toasts: readonly PlainToast[] }) {
  return (
    <section className="Toastify__toast-container" aria-label="Messages">
      {toasts.map(({ id, kind, msg }) => (
        <div
          key={id}
          className={`Toastify__toast Toastify__toast--${kind}`}
          role={kind === 'error' ? 'alert' : 'status'}
          data-in="true"
        >
          <div className="Toastify__toast-icon">
            <ToastIcon kind={kind} />
          </div>
          {msg}
          <DismissButton onClick={() => toast.dismissPlain(id)} />
        </div>
      ))}
    </section>
  );
}
