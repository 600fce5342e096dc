import type { ReactNode } from 'react';
import styles from './EventForm.module.css';

export function EventFormSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.section}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}
