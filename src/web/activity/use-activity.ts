import { useCallback, useEffect, useRef, useState } from 'react';
import type { AuditedEvent } from '#contract/app/audit.ts';
import { activityPage } from '#messages/records/audit.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';

interface Filters {
  actor?: string;
  action?: string;
  event?: string;
  organization?: string;
  from?: string;
  until?: string;
}

interface Page {
  entries: AuditedEvent[];
  next: string | null;
}

export type LoadPage<P extends Page> = (query: Filters & { after?: string }) => Promise<P>;

/** The pages of a log that are loaded so far, for the filters chosen. */
export function useActivity<P extends Page>(load: LoadPage<P>) {
  const [filters, setFilters] = useState<Filters>({});
  const [shown, setShown] = useState<P | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const asked = useRef(0);

  const show = useCallback(
    async (after?: string) => {
      // A slow answer to earlier filters must not replace the present one.
      const id = ++asked.current;
      setIsBusy(true);
      try {
        const page = await load({ ...filters, ...(after !== undefined && { after }) });
        if (id !== asked.current) return;
        setShown((before) =>
          after === undefined || !before ? page : { ...page, entries: [...before.entries, ...page.entries] },
        );
        setFailure(null);
      } catch (error) {
        if (id === asked.current) setFailure(failureFrom(error, activityPage.notLoaded));
      }
      if (id === asked.current) setIsBusy(false);
    },
    [load, filters],
  );
  useEffect(() => void show(), [show]);

  return { shown, filters, setFilters, failure, isBusy, show };
}

/** What a form of filters says. Days are those of the reader; `until` includes its day. */
export function filtersOf(form: HTMLFormElement): Filters {
  const entries = [...new FormData(form)].flatMap(([name, value]): [string, string][] => {
    if (typeof value !== 'string' || value === '') return [];
    if (name !== 'from' && name !== 'until') return [[name, value.trim()]];
    const day = new Date(`${value}T00:00`);
    if (name === 'until') day.setDate(day.getDate() + 1);
    return Number.isNaN(day.getTime()) ? [] : [[name, day.toISOString()]];
  });
  return Object.fromEntries(entries);
}
