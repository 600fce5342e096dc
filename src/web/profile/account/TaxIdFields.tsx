import { useState } from 'react';
import { taxIdText as text } from '#messages/records/top-bar.ts';
import type { Profile } from '#web/profile/use-profile.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { SelectField, TextField } from '#web/ui/form/fields.tsx';
import styles from './AccountInformationDialog.module.css';

/** Tax ID type, then its field. The server never returns a stored ID, only its last four digits. */
export function TaxIdFields({ stored }: { stored: Profile['accountInfo'] }) {
  const [type, setType] = useState<string>(stored?.organizationType ?? '');
  const last4 = stored?.organizationType === type ? stored.taxIdLast4 : null;

  return (
    <>
      <SelectField
        label="Tax ID type"
        name="organizationType"
        value={type}
        onChange={(change) => setType(change.target.value)}
        required
      >
        <option value="">Choose</option>
        <option value="individual">SSN/ITIN (individual)</option>
        <option value="company">EIN (company)</option>
      </SelectField>
      {type === 'individual' && <TaxIdField key={type} label="SSN/ITIN" name="individualTIN" last4={last4} />}
      {type === 'company' && <TaxIdField key={type} label="EIN" name="companyTIN" last4={last4} />}
    </>
  );
}

/** The stored ID stays as it is. */
export function TaxIdOnFile({ stored, onChange }: { stored: Profile['accountInfo']; onChange: () => void }) {
  if (!stored) return null;
  const { organizationType, taxIdLast4 } = stored;
  return (
    <div className={styles.onFile}>
      <p>
        {text.label} <b>{text.onFile(organizationType, taxIdLast4)}</b>
      </p>
      <Button kind="ghost" onClick={onChange}>
        {text.change}
      </Button>
      <input type="hidden" name="organizationType" value={organizationType} />
    </div>
  );
}

interface TaxIdFieldProps {
  label: string;
  name: string;
  /** Last digits of the ID on file. Leaving the field empty keeps it. */
  last4: string | null;
}

function TaxIdField({ label, name, last4 }: TaxIdFieldProps) {
  return (
    <TextField
      label={label}
      name={name}
      inputMode="numeric"
      autoComplete="off"
      required={last4 === null}
      hint={last4 === null ? 'Nine digits. Encrypted and never shown.' : `On file: ••${last4}. Leave blank to keep it.`}
    />
  );
}
