import { type ReactNode, useEffect, useState } from 'react';
import { organizations, switchOrganization } from '#contract/app/team.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { teamPage, organizationSwitch as text } from '#messages/accounts/team.ts';
import { call, messageFrom } from '#web/api.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { SelectField } from '#web/ui/form/fields.tsx';

interface ChoiceProps {
  className?: string | undefined;
  /** Shown to people in one organization. */
  otherwise?: ReactNode;
}

/** Switches between the organizations of a person who is in several. */
export function OrganizationChoice({ className, otherwise = null }: ChoiceProps) {
  const [list, setList] = useState<ReplyOf<typeof organizations>['organizations']>([]);
  useEffect(() => {
    // Without an answer the page still shows the present organization.
    call(organizations, {}).then(
      (reply) => setList(reply.organizations),
      () => {},
    );
  }, []);
  if (list.length < 2) return otherwise;

  async function choose(organizationId: string) {
    try {
      await call(switchOrganization, { organizationId });
      // Every screen's data is of the other organization now.
      location.assign('/profile');
    } catch (error) {
      toast.error(messageFrom(error, teamPage.failed));
    }
  }

  return (
    <SelectField
      label={text.label}
      name="organization"
      className={className}
      value={list.find(({ isThis }) => isThis)?.organizationId ?? ''}
      options={list.map(({ organizationId, name }) => ({ value: organizationId, label: name ?? text.unnamed }))}
      onChange={(change) => void choose(change.target.value)}
    />
  );
}

export { OrganizationChoice as Component };
