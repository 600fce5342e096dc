import { type FocusEvent, type ReactNode, useState } from 'react';
import { checkPassword } from '#contract/app/security.ts';
import { passwordCommon } from '#messages/security.ts';
import { call } from '#web/api.ts';
import { Icon } from '#web/ui/icons/Icon.tsx';
import styles from './Field.module.css';
import { PasswordField } from './fields.tsx';

interface NewPasswordFieldProps {
  label: string;
  name: string;
  hint: ReactNode;
}

/** Warns of a password that is guessed first as soon as the field is left. */
export function NewPasswordField({ label, name, hint }: NewPasswordFieldProps) {
  const [isCommon, setIsCommon] = useState(false);

  async function check({ currentTarget: { value, form } }: FocusEvent<HTMLInputElement>) {
    const email = form && new FormData(form).get('email');
    const about = { password: value, ...(typeof email === 'string' && email && { email }) };
    try {
      setIsCommon(value !== '' && (await call(checkPassword, about)).isCommon);
    } catch {
      // Only a hint; the server decides when the form is sent.
      setIsCommon(false);
    }
  }

  return (
    <div>
      <PasswordField
        label={label}
        name={name}
        autoComplete="new-password"
        hint={hint}
        required
        onBlur={check}
        onInput={() => setIsCommon(false)}
      />
      <p role="status" className={styles.warning}>
        {isCommon && (
          <>
            <Icon name="alert" size={16} />
            {passwordCommon}
          </>
        )}
      </p>
    </div>
  );
}
