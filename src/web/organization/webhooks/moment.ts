import { written } from '#web/ui/data/format.ts';

/** `Jun 12, 8:00:05 PM`, in this device's time zone. */
export const momentOf = (at: string): string =>
  written(at, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', second: '2-digit' });
