import { confirmApp, factorCodeForm } from '#contract/app/factors.ts';
import { factorList, appSetUp as text } from '#messages/accounts/factors.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { CopyButton } from '#web/ui/button/CopyButton.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { QrCode } from '#web/ui/ticket/QrCode.tsx';
import styles from '../security.module.css';

export interface AddFactorProps {
  onAdded: (added: { recoveryCodes: string[] | null }, msg: string) => void;
  onClose: () => void;
}

interface AddAppProps extends AddFactorProps {
  app: { key: string; uri: string };
}

export function AddAppDialog({ app, onAdded, onClose }: AddAppProps) {
  const form = useForm(factorCodeForm, async ({ code }) => onAdded(await call(confirmApp, { code }), text.done), {
    fallback: factorList.failed,
    rejectedField: 'code',
  });

  return (
    <Dialog title={text.title} open onClose={onClose}>
      <div className={styles.steps}>
        <p>{text.scan}</p>
        <QrCode value={app.uri} label={text.qr} size={200} />
        <p>{text.type}</p>
        <p className={styles.key}>
          <code>{grouped(app.key)}</code> <CopyButton text={app.key} label={text.key} />
        </p>
        <Form form={form}>
          <TextField
            label={text.code}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            spellCheck={false}
            required
          />
          <div className={styles.choices}>
            <Button type="submit" busy={form.submitting}>
              {text.confirm}
            </Button>
            <Button kind="ghost" onClick={onClose}>
              {text.cancel}
            </Button>
          </div>
        </Form>
      </div>
    </Dialog>
  );
}

const grouped = (key: string) => key.replace(/.{4}(?=.)/g, '$& ');
