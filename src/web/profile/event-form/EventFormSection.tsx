import type { ReactNode } from 'react';
import styles from './EventForm.module.css';

/** One part of the event form. All parts are one form with one submit. */
export function EventFormSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.section}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}
