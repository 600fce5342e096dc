import { onSaleOf } from '#contract/on-sale.ts';
import { type Timezone, timezones } from '#contract/timezones.ts';
import { instantOf } from '#domain/local-time.ts';
import { BUYERS_PER_MINUTE_DEFAULT, BUYERS_PER_MINUTE_MAX, WAITING_ROOM_MINUTES } from '#domain/waiting-room.ts';
import { CheckboxField, TextField } from '#web/ui/fields.tsx';
import styles from './EventForm.module.css';
import { EventFormSection } from './EventFormSection.tsx';
import { spokenTime, viewerZone } from './spoken-time.ts';
import type { EventDraft } from './use-event-draft.ts';

/** For a sale that many people wait for. Left empty, tickets sell as soon as the event is there. */
export function OnSaleFields({ event }: { event: EventDraft }) {
  const timezone = timezones.find((zone) => zone === event.text('timezone')) ?? 'America/New_York';
  const salesStart = event.text('salesStart');
  const hasRoom = event.text('useWaitingRoom') !== '';
  const spoken = salesStart && spokenTime(salesStart, timezone, 'earlier', viewerZone());
  const problem = salesStart && onSaleProblem(event, timezone);

  function toggleRoom({ target }: { target: { checked: boolean } }) {
    const perMinute = event.text('buyersPerMinute') || String(BUYERS_PER_MINUTE_DEFAULT);
    event.set({ useWaitingRoom: target.checked ? 'yes' : '', buyersPerMinute: target.checked ? perMinute : '' });
  }

  return (
    <EventFormSection title="On sale">
      <div className={styles.pair}>
        <TextField
          label="On sale from"
          type="datetime-local"
          hint="Optional. Left empty, tickets sell at once."
          {...event.field('salesStart')}
        />
        {hasRoom && (
          <TextField
            label="Buyers let in per minute"
            inputMode="numeric"
            hint={`From 1 to ${BUYERS_PER_MINUTE_MAX.toLocaleString('en-US')}. You can change it during the sale.`}
            {...event.field('buyersPerMinute')}
          />
        )}
      </div>
      <div className={styles.echo} role="status">
        {spoken && (
          <p>
            <b>On sale from</b> {spoken}
          </p>
        )}
        {problem && <p className={styles.warning}>{problem}</p>}
      </div>
      <CheckboxField
        label="Use a waiting room"
        name="useWaitingRoom"
        hint={`For a rush. It opens ${WAITING_ROOM_MINUTES} minutes before sales start. Whoever is there by the start is drawn in random order; everyone after is served as they come.`}
        checked={hasRoom}
        onChange={toggleRoom}
      />
    </EventFormSection>
  );
}

/** What is wrong so far; whether the end is a time at all is told beside the end. */
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
  return typeof onSale === 'string' ? onSale : null;
}
