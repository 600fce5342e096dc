import { useState } from 'react';
import { datesText as text } from '#messages/series/series.ts';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { DateList } from './DateList.tsx';
import styles from './date-list.module.css';

/** Opens the list of all dates of the event's series. */
export function AllDates({ event }: { event: { eventId: string; seriesId: string; title: string } }) {
  const [isOpen, setIsOpen] = useState(false);
  const { eventId, seriesId, title } = event;
  return (
    <>
      <button type="button" className={styles.all} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {text.all}
      </button>
      <Dialog title={text.title(title)} open={isOpen} onClose={() => setIsOpen(false)}>
        <DateList seriesId={seriesId} title={title} eventId={eventId} onOpen={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}
