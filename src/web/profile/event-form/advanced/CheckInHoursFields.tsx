import { useRef } from 'react';
import { type Timezone, timezones } from '#contract/forms/timezones.ts';
import { EARLY_CHECK_IN_HOURS } from '#domain/limits.ts';
import { instantOf, localTimeOf } from '#domain/local-time.ts';
import { checkInHoursFields as messages } from '#messages/events.ts';
import { advancedFields as text } from '#messages/records/event-editor.ts';
import styles from '#web/profile/event-form/EventForm.module.css';
import type { EventDraft } from '#web/profile/event-form/use-event-draft.ts';
import { describeTime, viewerZone } from '#web/profile/time-and-venue/schedule-preview.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import { TextField } from '#web/ui/form/fields.tsx';
import { Disclosure } from './Disclosure.tsx';

const HOUR = 60 * 60 * 1000;

/** Optional. Without them, tickets are checked in at any time. */
export function CheckInHoursFields({ event }: { event: EventDraft }) {
  const timezone = timezones.find((zone) => zone === event.text('timezone')) ?? 'America/New_York';
  const start = event.text('startDate_startTime');
  const opens = event.text('checkInOpens');
  const closes = event.text('checkInCloses');
  const proposed = start && openingBefore(start, timezone);
  const opensField = useRef<HTMLInputElement>(null);
  const preview = opens && describeTime(opens, timezone, 'earlier', viewerZone());

  /** The button goes away, so what it filled in takes the focus. */
  function propose() {
    event.set({ checkInOpens: proposed });
    opensField.current?.focus();
  }

  return (
    <Disclosure
      title={messages.title}
      choice={text.checkIn({ opens: shortOf(opens, timezone), closes: shortOf(closes, timezone) })}
      isSet={opens !== '' || closes !== ''}
    >
      <div className={styles.pair}>
        <TextField
          label={messages.opens}
          type="datetime-local"
          hint={closes ? messages.opensByDefault : messages.anyTime}
          ref={opensField}
          {...event.field('checkInOpens')}
        />
        <TextField
          label={messages.closes}
          type="datetime-local"
          hint={opens ? messages.closesByDefault : messages.optional}
          {...event.field('checkInCloses')}
        />
      </div>
      <div className={styles.echo} role="status">
        {preview && (
          <p>
            <b>{messages.opens}</b> {preview}
          </p>
        )}
      </div>
      {proposed && opens !== proposed && (
        <div>
          <Button kind="ghost" onClick={propose}>
            {messages.propose}
          </Button>
        </div>
      )}
    </Disclosure>
  );
}

/** Null while it is blank or incomplete. */
function shortOf(time: string, timezone: Timezone): string | null {
  const instant = instantOf(time, timezone, 'earlier');
  return instant instanceof Date ? formatShort(instant, timezone) : null;
}

/** Empty while the start is incomplete. */
function openingBefore(start: string, timezone: Timezone): string {
  const startsAt = instantOf(start, timezone, 'earlier');
  if (!(startsAt instanceof Date)) return '';
  return localTimeOf(new Date(startsAt.getTime() - EARLY_CHECK_IN_HOURS * HOUR), timezone);
}
