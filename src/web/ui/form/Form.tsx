import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './Form.module.css';
import type { FormState } from './use-form.ts';

const FormContext = createContext<FormState | null>(null);

export function Form({
  form,
  label,
  id,
  className,
  children,
}: {
  form: FormState;
  /** Names the form for screen readers where no heading does. */
  label?: string | undefined;
  id?: string | undefined;
  className?: string | undefined;
  children: ReactNode;
}) {
  const element = useRef<HTMLFormElement>(null);
  // After each render: a field that the form fills itself sends no input event.
  useEffect(() => {
    if (element.current) form.recheck(element.current);
  });

  return (
    <FormContext value={form}>
      <form
        ref={element}
        id={id}
        className={classNames(styles.form, className)}
        aria-label={label}
        aria-busy={form.submitting || undefined}
        noValidate
        onSubmit={form.onSubmit}
        onInput={(event) => form.recheck(event.currentTarget)}
      >
        {children}
      </form>
    </FormContext>
  );
}

/** The sentence at a field, if its rule is broken. Outside a form there is none. */
export function useFieldError(name: string): string | undefined {
  return useContext(FormContext)?.errors[name];
}
