import { type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { FormContext } from '#web/ui/form/Form.tsx';
import { Icon } from '#web/ui/icons/Icon.tsx';
import styles from './Disclosure.module.css';

interface DisclosureProps {
  title: string;
  /** What is chosen by now, for those who leave it closed. */
  choice: string;
  /** It opens with the form. */
  isSet: boolean;
  children: ReactNode;
}

/** Fields that few need. It opens for an error, which gets the focus if it is the first of the form. */
export function Disclosure({ title, choice, isSet, children }: DisclosureProps) {
  // What is typed later neither opens nor closes it.
  const [startsOpen] = useState(isSet);
  const element = useRef<HTMLDetailsElement>(null);
  useOpenForError(element);
  return (
    <details ref={element} className={styles.disclosure} open={startsOpen}>
      <summary className={styles.summary}>
        <span className={styles.title}>{title}</span> <span className={styles.choice}>{choice}</span>
        <Icon name="chevron-down" className={styles.chevron} />
      </summary>
      <div role="group" aria-label={title} className={styles.fields}>
        {children}
      </div>
    </details>
  );
}

const INVALID = '[aria-invalid="true"]';

/** The form itself can't focus what is closed. */
function useOpenForError(element: { current: HTMLDetailsElement | null }): void {
  const errors = useContext(FormContext)?.errors;
  const hadError = useRef(false);
  // Fields get and lose their errors with `errors`.
  useEffect(() => {
    const details = element.current;
    const invalid = errors && details?.querySelector<HTMLElement>(INVALID);
    const isNew = Boolean(invalid) && !hadError.current;
    hadError.current = Boolean(invalid);
    if (!details || !invalid || !isNew || details.open) return;
    details.open = true;
    if (details.closest('form')?.querySelector(INVALID) === invalid) invalid.focus();
  }, [element, errors]);
}
