import { useState } from 'react';
import type { Team } from '#contract/app/team.ts';
import { type Access, isForAllEvents, type Role, roles } from '#domain/accounts/roles.ts';
import { roleDescriptions, roleNames, teamPage as text } from '#messages/accounts/team.ts';
import { SelectField } from '#web/ui/form/fields.tsx';
import { EventChoice } from '../EventChoice.tsx';

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
      {!isForAllEvents(role) && <EventChoice events={events} chosen={onlyEventIds} onChange={choice.setChosen} />}
    </>
  );
}
