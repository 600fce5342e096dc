import { onSaleOf } from '#contract/forms/on-sale.ts';
import { type Timezone, timezones } from '#contract/forms/timezones.ts';
import { BUYERS_PER_MINUTE_MAX } from '#domain/limits.ts';
import { instantOf } from '#domain/local-time.ts';
import { BUYERS_PER_MINUTE_DEFAULT, WAITING_ROOM_MINUTES } from '#domain/waiting-room.ts';
import { formText } from '#messages/forms.ts';
import { advancedFields as text } from '#messages/records/event-editor.ts';
import styles from '#web/profile/event-form/EventForm.module.css';
import type { EventDraft } from '#web/profile/event-form/use-event-draft.ts';
import { describeTime, viewerZone } from '#web/profile/time-and-venue/schedule-preview.ts';
import { formatShort } from '#web/ui/data/format.ts';
import { CheckboxField, TextField } from '#web/ui/form/fields.tsx';
import { Disclosure } from './Disclosure.tsx';

/** For high-demand sales. Without a start, tickets sell as soon as the event exists. */
export function OnSaleFields({ event }: { event: EventDraft }) {
  const timezone = timezones.find((zone) => zone === event.text('timezone')) ?? 'America/New_York';
  const salesStart = event.text('salesStart');
  const hasRoom = event.text('useWaitingRoom') !== '';
  const preview = salesStart && describeTime(salesStart, timezone, 'earlier', viewerZone());
  const startsAt = instantOf(salesStart, timezone, 'earlier');
  const problem = salesStart && onSaleProblem(event, timezone);

  function toggleRoom({ target }: { target: { checked: boolean } }) {
    const perMinute = event.text('buyersPerMinute') || String(BUYERS_PER_MINUTE_DEFAULT);
    event.set({ useWaitingRoom: target.checked ? 'yes' : '', buyersPerMinute: target.checked ? perMinute : '' });
  }

  return (
    <Disclosure
      title={text.onSale}
      choice={text.sells(startsAt instanceof Date ? formatShort(startsAt, timezone) : null, hasRoom)}
      isSet={salesStart !== '' || hasRoom}
    >
      <div className={styles.pair}>
        <TextField
          label="On sale from"
          type="datetime-local"
          hint="Optional. Leave blank to start selling right away."
          {...event.field('salesStart')}
        />
        {hasRoom && (
          <TextField
            label="Buyers per minute"
            inputMode="numeric"
            hint={`From 1 to ${BUYERS_PER_MINUTE_MAX.toLocaleString('en-US')}. You can change it during the sale.`}
            {...event.field('buyersPerMinute')}
          />
        )}
      </div>
      <div className={styles.echo} role="status">
        {preview && (
          <p>
            <b>On sale from</b> {preview}
          </p>
        )}
        {problem && <p className={styles.warning}>{problem}</p>}
      </div>
      <CheckboxField
        label="Use a waiting room"
        name="useWaitingRoom"
        hint={`For big on-sales. Opens ${WAITING_ROOM_MINUTES} minutes early. Everyone waiting gets a random place in line; latecomers join the back.`}
        checked={hasRoom}
        onChange={toggleRoom}
      />
    </Disclosure>
  );
}

/** The first problem with the fields. A missing or invalid end is reported at the end field. */
function onSaleProblem(event: EventDraft, timezone: Timezone): string | null {
  const endsAt = instantOf(event.text('endDate_endTime'), timezone, 'later');
  const fields = {
    timezone,
    salesStart: event.text('salesStart'),
    useWaitingRoom: event.text('useWaitingRoom') !== '',
    buyersPerMinute: event.text('buyersPerMinute'),
  };
  if (!(endsAt instanceof Date)) return null;
  const onSale = onSaleOf(fields, { endsAt });
  return 'reason' in onSale ? formText(onSale) : null;
}
