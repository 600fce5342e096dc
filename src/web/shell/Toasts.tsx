import { lazy, Suspense, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { onFirstToast } from '#web/ui/toast.ts';

const ToastRegion = lazy(() => import('./ToastRegion.tsx'));

/** Beside the page, not in it: an open dialog makes the page inert, and the toasts must stay alive (see ui/use-modal.ts). */
export function Toasts() {
  const [isAwake, setAwake] = useState(false);
  useEffect(() => onFirstToast(() => setAwake(true)), []);

  // Nothing of it is drawn on the server, which has no document.
  if (!isAwake) return null;
  const host = document.getElementById('toasts') ?? document.body;
  return createPortal(
    <Suspense>
      <ToastRegion />
    </Suspense>,
    host,
  );
}
