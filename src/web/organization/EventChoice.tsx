import { teamPage as text } from '#messages/accounts/team.ts';
import { CheckboxField } from '#web/ui/form/fields.tsx';
import styles from './event-choice.module.css';
import shared from './security.module.css';

interface EventChoiceProps {
  events: readonly { eventId: string; title: string }[];
  /** Null: all events, also future ones. */
  chosen: readonly string[] | null;
  onChange: (chosen: readonly string[] | null) => void;
}

/** All events, or some of them. */
export function EventChoice({ events, chosen, onChange }: EventChoiceProps) {
  const isChosen = (eventId: string) => chosen?.includes(eventId) ?? false;
  const toggle = (eventId: string) =>
    onChange(events.map((event) => event.eventId).filter((id) => isChosen(id) !== (id === eventId)));

  return (
    <fieldset className={styles.events}>
      <legend>{text.which}</legend>
      <label className={styles.choice}>
        <input type="radio" name="which" checked={chosen === null} onChange={() => onChange(null)} />
        {text.allEvents}
      </label>
      <label className={styles.choice}>
        <input type="radio" name="which" checked={chosen !== null} onChange={() => onChange(chosen ?? [])} />
        {text.chosenEvents}
      </label>
      {chosen && events.length === 0 && <p className={shared.why}>{text.noEvents}</p>}
      {chosen &&
        events.map(({ eventId, title }) => (
          <CheckboxField
            key={eventId}
            label={title}
            name={`event-${eventId}`}
            checked={isChosen(eventId)}
            onChange={() => toggle(eventId)}
          />
        ))}
    </fieldset>
  );
}
