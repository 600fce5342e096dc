import * as z from 'zod/mini';
import { changeRole, type Team } from '#contract/app/team.ts';
import { teamPage as text } from '#messages/accounts/team.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import shared from '../security.module.css';
import { AccessFields, useAccess } from './AccessFields.tsx';
import type { Member } from './use-team.ts';

interface ChangeAccessDialogProps {
  member: Member;
  events: Team['events'];
  mayChooseOwner: boolean;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

export function ChangeAccessDialog({ member, events, mayChooseOwner, onChanged, onClose }: ChangeAccessDialogProps) {
  const choice = useAccess(member);
  const form = useForm(
    z.object({}),
    async () => {
      if (choice.problem) return toast.error(choice.problem);
      toast.success((await call(changeRole, { userId: member.userId, ...choice.access })).msg);
      await onChanged();
      onClose();
    },
    { fallback: text.failed },
  );

  return (
    <Dialog title={text.changeTitle(member.email)} open onClose={onClose}>
      <Form form={form}>
        <AccessFields choice={choice} events={events} mayChooseOwner={mayChooseOwner} />
        <div className={shared.choices}>
          <Button type="submit" busy={form.submitting}>
            {text.save}
          </Button>
          <Button kind="ghost" onClick={onClose}>
            {text.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
