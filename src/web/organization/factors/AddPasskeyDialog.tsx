import { addPasskey, passkeyNameForm, setUpPasskey } from '#contract/app/factors.ts';
import { factorList, passkeySetUp as text } from '#messages/accounts/factors.ts';
import { call } from '#web/api.ts';
import { createPasskey } from '#web/passkeys.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from '../security.module.css';
import type { AddFactorProps } from './AddAppDialog.tsx';

export function AddPasskeyDialog({ onAdded, onClose }: AddFactorProps) {
  const form = useForm(
    passkeyNameForm,
    async ({ name }) => {
      const { challengeId, options } = await call(setUpPasskey, {});
      const created = await createPasskey(options);
      if ('refused' in created) toast.error(created.refused === 'known' ? text.known : text.refused);
      else onAdded(await call(addPasskey, { challengeId, name, response: created.passkey }), text.done);
    },
    { fallback: factorList.failed },
  );

  return (
    <Dialog title={text.title} open onClose={onClose}>
      <Form form={form}>
        <p>{text.why}</p>
        <TextField label={text.name} name="name" defaultValue={text.suggestion} autoComplete="off" required />
        <div className={styles.choices}>
          <Button type="submit" busy={form.submitting}>
            {text.create}
          </Button>
          <Button kind="ghost" onClick={onClose}>
            {text.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
