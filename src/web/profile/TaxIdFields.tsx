import { useState } from 'react';
import { SelectField, TextField } from '#web/ui/fields.tsx';
import type { Profile } from './use-profile.ts';

/** Which kind of tax id first, then the field for it. A stored id never comes back: its last four digits do. */
export function TaxIdFields({ stored }: { stored: Profile['accountInfo'] }) {
  const [type, setType] = useState<string>(stored?.organizationType ?? '');
  const hint =
    stored && stored.organizationType === type
      ? `On file: •••••${stored.taxIdLast4}. Type it again to save changes.`
      : 'Nine digits. Kept encrypted, and shown to nobody.';

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
      {type === 'individual' && (
        <TextField label="SSN/ITIN" name="individualTIN" inputMode="numeric" autoComplete="off" required hint={hint} />
      )}
      {type === 'company' && (
        <TextField label="EIN" name="companyTIN" inputMode="numeric" autoComplete="off" required hint={hint} />
      )}
    </>
  );
}
