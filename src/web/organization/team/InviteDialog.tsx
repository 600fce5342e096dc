import * as z from 'zod/mini';
import { invite, type Team } from '#contract/app/team.ts';
import { emailField } from '#contract/forms/email-field.ts';
import { teamPage as text } from '#messages/accounts/team.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import shared from '../security.module.css';
import { AccessFields, useAccess } from './AccessFields.tsx';

const addressForm = z.object({ email: emailField });

interface InviteDialogProps {
  events: Team['events'];
  mayChooseOwner: boolean;
  onInvited: () => Promise<void>;
  onClose: () => void;
}

export function InviteDialog({ events, mayChooseOwner, onInvited, onClose }: InviteDialogProps) {
  const choice = useAccess({ role: 'editor', onlyEventIds: null });
  const form = useForm(
    addressForm,
    async ({ email }) => {
      if (choice.problem) return toast.error(choice.problem);
      toast.success((await call(invite, { email, ...choice.access })).msg);
      await onInvited();
      onClose();
    },
    { fallback: text.failed, rejectedField: 'email' },
  );

  return (
    <Dialog title={text.inviteTitle} open onClose={onClose}>
      <Form form={form}>
        <p className={shared.why}>{text.inviteWhy}</p>
        <TextField label={text.email} name="email" type="email" inputMode="email" autoComplete="off" required />
        <AccessFields choice={choice} events={events} mayChooseOwner={mayChooseOwner} />
        <div className={shared.choices}>
          <Button type="submit" busy={form.submitting}>
            {text.send}
          </Button>
          <Button kind="ghost" onClick={onClose}>
            {text.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
