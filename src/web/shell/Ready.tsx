import { useEffect } from 'react';

/** Tells before-paint.js that the page is interactive. */
export function Ready() {
  useEffect(() => void window.dispatchEvent(new Event('handstamp:ready')), []);
  return null;
}
