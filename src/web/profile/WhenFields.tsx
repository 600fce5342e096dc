import { useState } from 'react';
import { type Timezone, timezones } from '#contract/timezones.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { SelectField, TextField } from '#web/ui/fields.tsx';
import styles from './EventForm.module.css';
import { EventFormSection } from './EventFormSection.tsx';
import { spokenLength, spokenTime, timeProblem, usualEnd, viewerZone } from './spoken-time.ts';
import { zoneDoubt } from './state-timezone.ts';
import type { EventDraft } from './use-event-draft.ts';

interface WhenFieldsProps {
  event: EventDraft;
  mayStartInPast: boolean;
}

export function WhenFields({ event, mayStartInPast }: WhenFieldsProps) {
  const [now] = useState(() => new Date());
  const timezone = timezoneIn(event);
  const start = event.text('startDate_startTime');
  const end = event.text('endDate_endTime');
  const times = { timezone, start, end };
  const problem = timeProblem(times, now, { mayStartInPast });
  const doubt = zoneDoubt(event.text('state'), timezone);

  function changeStart(change: { target: { value: string } }) {
    const next = change.target.value;
    // The end follows the start until somebody sets it by hand.
    const isEndProposed = end === '' || end === usualEnd(start, timezone);
    event.set({ startDate_startTime: next, ...(isEndProposed && { endDate_endTime: usualEnd(next, timezone) }) });
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
        {start && <SpokenTime label="Starts" local={start} timezone={timezone} repeated="earlier" />}
        {end && <SpokenTime label="Ends" local={end} timezone={timezone} repeated="later" />}
        {spokenLength(times) && <p>Lasts {spokenLength(times)}</p>}
        {problem && <p className={styles.warning}>{problem}</p>}
        {doubt && <p className={styles.warning}>{doubt}</p>}
      </div>
    </EventFormSection>
  );
}

interface SpokenTimeProps {
  label: string;
  local: string;
  timezone: Timezone;
  repeated: 'earlier' | 'later';
}

function SpokenTime({ label, local, timezone, repeated }: SpokenTimeProps) {
  const spoken = spokenTime(local, timezone, repeated, viewerZone());
  return (
    spoken && (
      <p>
        <b>{label}</b> {spoken}
      </p>
    )
  );
}

function timezoneIn(event: EventDraft): Timezone {
  return timezones.find((zone) => zone === event.text('timezone')) ?? 'America/New_York';
}
