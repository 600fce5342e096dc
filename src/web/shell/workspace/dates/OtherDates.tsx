import { useState } from 'react';
import { Link } from 'react-router';
import type { EventFrame } from '#contract/app/records/workspace.ts';
import { datesText as text } from '#messages/sales/series.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { DateList } from './DateList.tsx';
import styles from './date-list.module.css';

interface OtherDatesProps {
  frame: EventFrame;
  series: NonNullable<EventFrame['series']>;
}

/** Which date of its series is open, and the way to the others. */
export function OtherDates({ frame, series }: OtherDatesProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { position, dates, previous, next } = series;
  return (
    <p className={styles.others}>
      <span>{text.position(position, dates)}</span>
      {previous && <Link to={`/events/${previous}`}>{text.previous}</Link>}
      {next && <Link to={`/events/${next}`}>{text.next}</Link>}
      <Button kind="ghost" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {text.all}
      </Button>
      <Dialog title={text.title(frame.title)} open={isOpen} onClose={() => setIsOpen(false)}>
        {frame.seriesId && (
          <DateList
            seriesId={frame.seriesId}
            title={frame.title}
            eventId={frame.eventId}
            onOpen={() => setIsOpen(false)}
          />
        )}
      </Dialog>
    </p>
  );
}
