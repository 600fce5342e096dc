import { useEffect, useState } from 'react';
import { addDates } from '#contract/app/sales/event-dates.ts';
import type { DateDenial } from '#domain/series/recurrence.ts';
import { outage } from '#messages/pages.ts';
import { call, messageFrom } from '#web/api.ts';
import { newUuid } from '#web/new-uuid.ts';

interface Check {
  denials: ReadonlyMap<string, DateDenial>;
  /** Why none of them can be added. */
  failure: string | null;
}

const NOTHING: Check = { denials: new Map(), failure: null };

/** Typing a number asks once. */
const PAUSE_MS = 300;

/** What the server says of these dates. Nothing until it has answered. */
export function useDateCheck(eventId: string, dates: readonly string[]): Check {
  const asked = dates.join();
  const [answer, setAnswer] = useState<Check & { asked: string }>({ ...NOTHING, asked: '' });

  useEffect(() => {
    if (asked === '') return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const input = { eventId, dates: asked.split(','), requestId: newUuid(), dryRun: true };
      try {
        const { dates: checked } = await call(addDates, input, { signal: stop.signal });
        const denied = checked.flatMap(({ start, denial }): [string, DateDenial][] =>
          denial ? [[start, denial]] : [],
        );
        setAnswer({ asked, denials: new Map(denied), failure: null });
      } catch (error) {
        if (!stop.signal.aborted) setAnswer({ asked, ...NOTHING, failure: messageFrom(error, outage) });
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [eventId, asked]);

  return answer.asked === asked ? answer : NOTHING;
}
