import { useEffect } from 'react';

/** Tells before-paint.js that buttons answer from now on. */
export function Ready() {
  useEffect(() => void window.dispatchEvent(new Event('handstamp:ready')), []);
  return null;
}
