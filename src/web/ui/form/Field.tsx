import { type ReactNode, useId } from 'react';
import { Icon } from '#web/ui/icons/Icon.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './Field.module.css';
import { useFieldError } from './Form.tsx';

/** Props shared by every form control. */
export interface FieldProps {
  label: ReactNode;
  name: string;
  hint?: ReactNode;
  /** For screen readers only; the schema validates. */
  required?: boolean | undefined;
  className?: string | undefined;
}

/** Attributes that associate a control with its label, hint, counter and error. */
export interface ControlIds {
  id: string;
  name: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
  'aria-required': true | undefined;
}

/** Label and hint above the control, counter and error below. */
export function Field({
  label,
  name,
  hint,
  required,
  className,
  count,
  counterMax,
  children,
}: FieldProps & { count?: number; counterMax?: number | undefined; children: (control: ControlIds) => ReactNode }) {
  const id = useId();
  const error = useFieldError(name);
  const hasCounter = counterMax !== undefined && count !== undefined;
  const describedBy = [hint && `${id}-hint`, hasCounter && `${id}-count`, error && `${id}-error`].filter(Boolean);

  return (
    <div className={classNames(styles.field, className)}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {children({
        id,
        name,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': describedBy.join(' ') || undefined,
        'aria-required': required || undefined,
      })}
      {(error || hasCounter) && (
        <div className={styles.below}>
          {error && <FieldError id={`${id}-error`} msg={error} />}
          {hasCounter && (
            <p id={`${id}-count`} className={classNames(styles.counter, count > counterMax && styles.over)}>
              {count.toLocaleString('en-US')} / {counterMax.toLocaleString('en-US')}
            </p>
          )}
        </div>
      )}
    </div>
  );
}

/** Not a live region: the toast already announced it. */
export function FieldError({ id, msg }: { id: string; msg: string }) {
  return (
    <p id={id} className={styles.error}>
      <Icon name="alert" size={16} />
      {msg}
    </p>
  );
}
