import { useEffect } from 'react';

/** Pending scans are saved on the device, but only this page syncs them. */
export function useWarnBeforeLeaving(hasPending: boolean): void {
  useEffect(() => {
    if (!hasPending) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [hasPending]);
}
