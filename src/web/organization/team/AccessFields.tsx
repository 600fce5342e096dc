import { useState } from 'react';
import type { Team } from '#contract/app/team.ts';
import { type Access, isForAllEvents, type Role, roles } from '#domain/accounts/roles.ts';
import { roleDescriptions, roleNames, teamPage as text } from '#messages/accounts/team.ts';
import { CheckboxField, SelectField } from '#web/ui/form/fields.tsx';
import shared from '../security.module.css';
import styles from './team.module.css';

/** A role and its events, as they are chosen. */
export function useAccess(initial: Access) {
  const [role, setRole] = useState<Role>(initial.role);
  const [chosen, setChosen] = useState<readonly string[] | null>(initial.onlyEventIds);
  const onlyEventIds = isForAllEvents(role) ? null : chosen;
  return {
    access: { role, onlyEventIds: onlyEventIds && [...onlyEventIds] },
    /** Why it can't be saved. */
    problem: onlyEventIds?.length === 0 ? text.chooseEvents : null,
    setRole,
    setChosen,
  };
}

interface AccessFieldsProps {
  choice: ReturnType<typeof useAccess>;
  events: Team['events'];
  /** Admins neither make nor change owners. */
  mayChooseOwner: boolean;
}

export function AccessFields({ choice, events, mayChooseOwner }: AccessFieldsProps) {
  const { role, onlyEventIds } = choice.access;
  const offered = roles.filter((one) => mayChooseOwner || one !== 'owner');
  const isChosen = (eventId: string) => onlyEventIds?.includes(eventId) ?? false;
  const toggle = (eventId: string) =>
    choice.setChosen(events.map((event) => event.eventId).filter((id) => isChosen(id) !== (id === eventId)));

  return (
    <>
      <SelectField
        label={text.role}
        name="role"
        value={role}
        hint={roleDescriptions[role]}
        options={offered.map((value) => ({ value, label: roleNames[value] }))}
        onChange={(change) => choice.setRole(offered.find((one) => one === change.target.value) ?? role)}
      />
      {!isForAllEvents(role) && (
        <fieldset className={styles.events}>
          <legend>{text.which}</legend>
          <label className={styles.choice}>
            <input type="radio" name="which" checked={onlyEventIds === null} onChange={() => choice.setChosen(null)} />
            {text.allEvents}
          </label>
          <label className={styles.choice}>
            <input
              type="radio"
              name="which"
              checked={onlyEventIds !== null}
              onChange={() => choice.setChosen(onlyEventIds ?? [])}
            />
            {text.chosenEvents}
          </label>
          {onlyEventIds && events.length === 0 && <p className={shared.why}>{text.noEvents}</p>}
          {onlyEventIds &&
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
      )}
    </>
  );
}
