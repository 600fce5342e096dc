import type { ComponentProps } from 'react';
import field from '#web/ui/form/Field.module.css';
import { Field, type FieldProps } from '#web/ui/form/Field.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './MoneyField.module.css';

type MoneyFieldProps = FieldProps & Omit<ComponentProps<'input'>, keyof FieldProps | 'id' | 'type' | 'inputMode'>;

/** An amount in dollars. */
export function MoneyField({ label, name, hint, required, className, ...input }: MoneyFieldProps) {
  return (
    <Field {...{ label, name, hint, required, className }}>
      {(control) => (
        <span className={styles.wrap}>
          <span className={styles.sign} aria-hidden="true">
            $
          </span>
          <input
            type="text"
            {...input}
            {...control}
            inputMode="decimal"
            className={classNames(field.control, styles.amount)}
          />
        </span>
      )}
    </Field>
  );
}
