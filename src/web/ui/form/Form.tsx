import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './Form.module.css';
import type { FormState } from './use-form.ts';

export const FormContext = createContext<FormState | null>(null);

export function Form({
  form,
  label,
  id,
  className,
  onChange,
  children,
}: {
  form: FormState;
  /** Accessible name of the form where no heading provides one. */
  label?: string | undefined;
  id?: string | undefined;
  className?: string | undefined;
  /** Of any field. */
  onChange?: (() => void) | undefined;
  children: ReactNode;
}) {
  const element = useRef<HTMLFormElement>(null);
  // After each render, because a field filled by script fires no input event.
  useEffect(() => {
    if (element.current) form.recheck(element.current);
  });

  return (
    <FormContext value={form}>
      <form
        ref={element}
        // Sent by hand before the script has loaded, nothing typed ends up in the address.
        method="post"
        id={id}
        className={classNames(styles.form, className)}
        aria-label={label}
        aria-busy={form.submitting || undefined}
        noValidate
        onSubmit={form.onSubmit}
        // After the field's own handler. A list fires `input` before that: rendered then, it would lose the choice.
        onChange={(event) => {
          form.recheck(event.currentTarget);
          onChange?.();
        }}
      >
        {children}
      </form>
    </FormContext>
  );
}

/** The error message of a field; none outside a form. */
export function useFieldError(name: string): string | undefined {
  return useContext(FormContext)?.errors[name];
}
