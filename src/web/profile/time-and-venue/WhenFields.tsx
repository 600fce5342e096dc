import { useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { type Timezone, timezones } from '#contract/forms/timezones.ts';
import { instantOf, localTimeOf } from '#domain/local-time.ts';
import { formText } from '#messages/forms.ts';
import styles from '#web/profile/event-form/EventForm.module.css';
import { EventFormSection } from '#web/profile/event-form/EventFormSection.tsx';
import { timesMeant } from '#web/profile/event-form/edit-draft.ts';
import type { EventDraft } from '#web/profile/event-form/use-event-draft.ts';
import { SelectField, TextField } from '#web/ui/form/fields.tsx';
import { pinOf } from './pin-of.ts';
import { defaultEnd, describeDuration, describeTime, timeProblem, viewerZone } from './schedule-preview.ts';
import { timezoneWarning } from './state-timezone.ts';
import { usePinZone } from './use-pin-timezone.ts';

interface WhenFieldsProps {
  event: EventDraft;
  /** The event being edited. */
  stored: OrganizerEvent | undefined;
}

export function WhenFields({ event, stored }: WhenFieldsProps) {
  const [now] = useState(() => new Date());
  const timezone = timezoneIn(event);
  const start = event.text('startDate_startTime');
  const end = event.text('endDate_endTime');
  const mayStartInPast = stored !== undefined;
  const typed = { timezone, startDate_startTime: start, endDate_endTime: end };
  const meant = stored ? timesMeant(typed, stored) : typed;
  const times = { timezone, start: meant.startDate_startTime, end: meant.endDate_endTime };
  const problem = timeProblem(times, now, { mayStartInPast });
  // What is stored was checked when it was typed.
  const [asOpened] = useState(() => placeAndTime(event));
  const isTyped = stored === undefined || placeAndTime(event) !== asOpened;
  const pinZone = usePinZone(isTyped ? pinOf(event) : null);
  const startsAt = instantOf(times.start, timezone, 'earlier');
  const place = { state: event.text('state'), pinZone };
  const zoneWarning = isTyped && timezoneWarning(place, timezone, startsAt instanceof Date ? startsAt : now);

  function changeStart(change: { target: { value: string } }) {
    const next = change.target.value;
    // The end follows the start until it is edited by hand.
    const isEndProposed = end === '' || end === defaultEnd(start, timezone);
    event.set({ startDate_startTime: next, ...(isEndProposed && { endDate_endTime: defaultEnd(next, timezone) }) });
  }

  return (
    <EventFormSection title="When">
      <div className={styles.when}>
        <TextField
          label="Start date and time"
          type="datetime-local"
          {...event.field('startDate_startTime')}
          onChange={changeStart}
          min={mayStartInPast ? undefined : localTimeOf(now, timezone)}
          required
        />
        <TextField
          label="End date and time"
          type="datetime-local"
          {...event.field('endDate_endTime')}
          min={start || (mayStartInPast ? undefined : localTimeOf(now, timezone))}
          required
        />
        <SelectField label="Time zone" {...event.field('timezone')} required>
          {timezones.map((zone) => (
            <option key={zone} value={zone}>
              {zone}
            </option>
          ))}
        </SelectField>
      </div>
      <div className={styles.echo} role="status">
        {start && <TimePreview label="Starts" time={times.start} timezone={timezone} repeated="earlier" />}
        {end && <TimePreview label="Ends" time={times.end} timezone={timezone} repeated="later" />}
        {describeDuration(times) && <p>Lasts {describeDuration(times)}</p>}
        {problem && <p className={styles.warning}>{formText(problem)}</p>}
        {zoneWarning && <p className={styles.warning}>{zoneWarning}</p>}
      </div>
    </EventFormSection>
  );
}

interface TimePreviewProps {
  label: string;
  time: string;
  timezone: Timezone;
  repeated: 'earlier' | 'later';
}

function TimePreview({ label, time, timezone, repeated }: TimePreviewProps) {
  const preview = describeTime(time, timezone, repeated, viewerZone());
  return (
    preview && (
      <p>
        <b>{label}</b> {preview}
      </p>
    )
  );
}

const PLACE_AND_TIME = ['timezone', 'startDate_startTime', 'state', 'latitude', 'longitude'];
const placeAndTime = (event: EventDraft) => PLACE_AND_TIME.map((name) => event.text(name)).join();

function timezoneIn(event: EventDraft): Timezone {
  return timezones.find((zone) => zone === event.text('timezone')) ?? 'America/New_York';
}
