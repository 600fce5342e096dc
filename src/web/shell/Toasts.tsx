import { lazy, Suspense } from 'react';
import { createPortal } from 'react-dom';

const ToastRegion = lazy(() => import('./ToastRegion.tsx'));

/** Beside the page, not in it: an open dialog makes the page inert, and the toasts must stay alive (see ui/use-modal.ts). */
export function Toasts() {
  const host = document.getElementById('toasts') ?? document.body;
  return createPortal(
    <Suspense>
      <ToastRegion />
    </Suspense>,
    host,
  );
}
