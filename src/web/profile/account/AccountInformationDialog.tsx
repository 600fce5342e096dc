import { useState } from 'react';
import { flushSync } from 'react-dom';
import { saveAccountInfo } from '#contract/app/accounts.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { NAME_MAX, ORGANIZATION_BIO_MAX, ORGANIZATION_NAME_MAX } from '#domain/limits.ts';
import { accountInfoSaved } from '#messages/accounts.ts';
import { submissionFailed, unknownError } from '#messages/pages.ts';
import { call, messageFrom } from '#web/api.ts';
import type { Profile } from '#web/profile/use-profile.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextArea, TextField } from '#web/ui/form/fields.tsx';
import { ProblemCount } from '#web/ui/form/ProblemCount.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './AccountInformationDialog.module.css';
import { accountFormFor } from './account-form.ts';
import { TaxIdFields, TaxIdOnFile } from './TaxIdFields.tsx';

type AccountInformation = InputOf<typeof saveAccountInfo>;

interface AccountInformationDialogProps {
  organizer: Profile;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

export function AccountInformationDialog({ organizer, onClose, onSaved }: AccountInformationDialogProps) {
  const [isSaved, setIsSaved] = useState(false);
  const stored = organizer.accountInfo;
  // What identifies a person is asked once.
  const [isIdentifying, setIsIdentifying] = useState(stored === null);

  function identify() {
    // The button goes away, and the focus would with it.
    flushSync(() => setIsIdentifying(true));
    document.querySelector<HTMLSelectElement>('select[name="organizationType"]')?.focus();
  }

  const form = useForm(accountFormFor(stored?.organizationType ?? null), send);
  async function send(information: AccountInformation) {
    try {
      await call(saveAccountInfo, information);
      setIsSaved(true);
      await onSaved();
    } catch (error) {
      toast.error(submissionFailed(messageFrom(error, unknownError)));
    }
  }

  if (isSaved)
    return (
      <Dialog key="saved" title={accountInfoSaved} open onClose={onClose}>
        <div className={styles.form}>
          <p>Saved. Buyers see your organization&rsquo;s name and bio on your event pages.</p>
          <Button onClick={onClose}>Done</Button>
        </div>
      </Dialog>
    );

  return (
    <Dialog title="Account Information" open onClose={onClose}>
      <Form form={form} className={styles.form}>
        <div className={styles.pair}>
          <TextField
            label="First name"
            name="firstName"
            required
            counterMax={NAME_MAX}
            autoComplete="given-name"
            defaultValue={stored?.firstName}
          />
          <TextField
            label="Last name"
            name="lastName"
            required
            counterMax={NAME_MAX}
            autoComplete="family-name"
            defaultValue={stored?.lastName}
          />
          {isIdentifying && (
            <TextField
              label="Date of birth"
              name="dateOfBirth"
              type="date"
              required={!stored}
              autoComplete="bday"
              hint={stored?.dateOfBirth === null ? 'Confirmed. Leave blank to keep it.' : undefined}
              defaultValue={stored?.dateOfBirth ?? undefined}
            />
          )}
          <TextField
            label="Phone number"
            name="phoneNumber"
            type="tel"
            required
            autoComplete="tel"
            defaultValue={stored?.phoneNumber}
          />
        </div>
        <TextField
          label="Organization name"
          name="organizationName"
          required
          counterMax={ORGANIZATION_NAME_MAX}
          autoComplete="organization"
          defaultValue={organizer.organizationName ?? ''}
        />
        <TextArea
          label="Organization bio"
          name="organizationBio"
          required
          counterMax={ORGANIZATION_BIO_MAX}
          hint="Shown on your event pages."
          defaultValue={organizer.organizationBio ?? ''}
        />
        {isIdentifying ? <TaxIdFields stored={stored} /> : <TaxIdOnFile stored={stored} onChange={identify} />}
        <Button type="submit" busy={form.submitting}>
          Save
        </Button>
        <ProblemCount />
      </Form>
    </Dialog>
  );
}
