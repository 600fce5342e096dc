import { type ClipboardEvent, type ComponentProps, type SyntheticEvent, useId, useState } from 'react';
import { CODE_MAX, characterCount } from '#domain/limits.ts';
import { Icon } from '#web/ui/icons/Icon.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import text from '#web/ui/styles/text.module.css';
import styles from './Field.module.css';
import { Field, FieldError, type FieldProps } from './Field.tsx';
import { useFieldError } from './Form.tsx';

type Native<Tag extends 'input' | 'textarea' | 'select'> = Omit<
  ComponentProps<Tag>,
  keyof FieldProps | 'id' | 'aria-invalid' | 'aria-describedby' | 'aria-required'
>;

/** Shows `12 / 50` without truncating input: an error message is better than silently dropped text. */
interface Counted {
  counterMax?: number | undefined;
}

export function TextField({
  label,
  name,
  hint,
  required,
  className,
  counterMax,
  onInput,
  ...input
}: FieldProps & Counted & Native<'input'>) {
  const [count, setCount] = useState(() => lengthOf(input.value ?? input.defaultValue));
  return (
    <Field {...{ label, name, hint, required, className, counterMax }} count={count}>
      {(control) => (
        <input
          type="text"
          {...input}
          {...control}
          className={styles.control}
          onInput={(event) => {
            setCount(lengthOf(event.currentTarget.value));
            onInput?.(event);
          }}
        />
      )}
    </Field>
  );
}

export function TextArea({
  label,
  name,
  hint,
  required,
  className,
  counterMax,
  onInput,
  ...area
}: FieldProps & Counted & Native<'textarea'>) {
  const [count, setCount] = useState(() => lengthOf(area.value ?? area.defaultValue));
  return (
    <Field {...{ label, name, hint, required, className, counterMax }} count={count}>
      {(control) => (
        <textarea
          rows={4}
          {...area}
          {...control}
          className={classNames(styles.control, styles.area)}
          onInput={(event) => {
            setCount(lengthOf(event.currentTarget.value));
            onInput?.(event);
          }}
        />
      )}
    </Field>
  );
}

export function SelectField({
  label,
  name,
  hint,
  required,
  className,
  options,
  children,
  ...select
}: FieldProps & Native<'select'> & { options?: readonly { value: string; label: string }[] | undefined }) {
  return (
    <Field {...{ label, name, hint, required, className }}>
      {(control) => (
        <span className={styles.selectWrap}>
          <select {...select} {...control} className={classNames(styles.control, styles.select)}>
            {children}
            {options?.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="chevron-down" className={styles.chevron} />
        </span>
      )}
    </Field>
  );
}

/** The toggle keeps its name and reports its state through `aria-pressed`. */
export function PasswordField({ label, name, hint, required, className, ...input }: FieldProps & Native<'input'>) {
  const [isShown, setShown] = useState(false);
  return (
    <Field {...{ label, name, hint, required, className }}>
      {(control) => (
        <span className={styles.passwordWrap}>
          <input
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            {...input}
            {...control}
            type={isShown ? 'text' : 'password'}
            className={classNames(styles.control, styles.password)}
          />
          <button
            type="button"
            className={styles.reveal}
            aria-pressed={isShown}
            aria-controls={control.id}
            title={isShown ? 'Hide' : 'Show'}
            onClick={() => setShown(!isShown)}
          >
            <Icon name={isShown ? 'eye-off' : 'eye'} />
            <span className={text.srOnly}>Show {label}</span>
          </button>
        </span>
      )}
    </Field>
  );
}

/** A code of up to ten characters. Drops spaces and hyphens, because codes are printed in groups, before the limit applies. */
export function CodeField({ label, name, hint, required, className, ...input }: FieldProps & Native<'input'>) {
  return (
    <Field {...{ label, name, hint, required, className }}>
      {(control) => (
        <input
          type="text"
          maxLength={CODE_MAX}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          {...input}
          {...control}
          className={classNames(styles.control, styles.code)}
          onInput={compact}
          onPaste={pasteWhole}
        />
      )}
    </Field>
  );
}

/** Writing the same value would move the caret. */
function compact({ currentTarget: input }: SyntheticEvent<HTMLInputElement>): void {
  const code = input.value.replace(/[\s-]/g, '').slice(0, input.maxLength);
  if (code !== input.value) input.value = code;
}

/** The browser would cut it off with its spaces. */
function pasteWhole(event: ClipboardEvent<HTMLInputElement>): void {
  const { currentTarget: input, clipboardData } = event;
  event.preventDefault();
  input.setRangeText(clipboardData.getData('text'), input.selectionStart ?? 0, input.selectionEnd ?? 0, 'end');
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

export function CheckboxField({ label, name, hint, required, className, ...input }: FieldProps & Native<'input'>) {
  const id = useId();
  const error = useFieldError(name);
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={classNames(styles.checkbox, className)}>
      <input
        {...input}
        type="checkbox"
        id={id}
        name={name}
        className={styles.box}
        aria-required={required || undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
      />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <div className={styles.below}>
          <FieldError id={`${id}-error`} msg={error} />
        </div>
      )}
    </div>
  );
}

/** Honeypot: invisible to people, filled in by bots. */
export function Honeypot({ name = 'honeypot' }: { name?: string }) {
  return (
    <div className={styles.honeypot} aria-hidden="true">
      <label>
        Leave this empty
        <input type="text" name={name} tabIndex={-1} autoComplete="off" data-1p-ignore data-lpignore="true" />
      </label>
    </div>
  );
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? characterCount(value.trim()) : 0;
}
