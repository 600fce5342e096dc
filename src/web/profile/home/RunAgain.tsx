import type { OrganizerEvent } from '#contract/app/events.ts';
import { home as text } from '#messages/records/home.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { written } from '#web/ui/data/format.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { useDuplicate } from './use-duplicate.ts';

/** When every event is over, the next one is a press away. */
export function RunAgain({ event, onChanged }: { event: OrganizerEvent; onChanged: () => Promise<void> }) {
  const { isBusy, duplicate } = useDuplicate(event, onChanged);
  const day = written(event.endDate_endTime, { timeZone: event.timezone, month: 'long', day: 'numeric' });
  return (
    <Banner
      title={text.runAgainTitle(event.title, day)}
      action={
        <Button busy={isBusy} onClick={duplicate}>
          {text.runAgain}
        </Button>
      }
    >
      {text.runAgainMeans}
    </Banner>
  );
}

/** The latest event, if it and all others are over. */
export function eventToRunAgain(events: readonly OrganizerEvent[], now: Date): OrganizerEvent | null {
  const isOver = ({ isCancelled, isDraft, endDate_endTime }: OrganizerEvent) =>
    isCancelled || (!isDraft && new Date(endDate_endTime) <= now);
  if (!events.every(isOver)) return null;
  const held = events.filter(({ isCancelled }) => !isCancelled);
  return held.toSorted((one, other) => other.endDate_endTime.localeCompare(one.endDate_endTime))[0] ?? null;
}
