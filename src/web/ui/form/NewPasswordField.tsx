import { type FocusEvent, type ReactNode, useState } from 'react';
import { commonPasswords } from '#contract/app/security.ts';
import { denyPassword } from '#domain/accounts/passwords.ts';
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
    const email = String((form && new FormData(form).get('email')) ?? '');
    setIsCommon(value !== '' && (await isCommonPassword(value, email)));
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

let list: Promise<ReadonlySet<string>> | null = null;

async function isCommonPassword(password: string, email: string): Promise<boolean> {
  try {
    list ??= call(commonPasswords, {}).then(({ passwords }) => new Set(passwords));
    return denyPassword(password, { names: [email], commonPasswords: await list }) !== null;
  } catch {
    // Only a hint; the server decides when the form is sent.
    list = null;
    return false;
  }
}
