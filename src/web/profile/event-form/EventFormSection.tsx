import type { ReactNode } from 'react';
import styles from './EventForm.module.css';

interface EventFormSectionProps {
  title: string;
  /** Where an address leads to. */
  id?: string;
  children: ReactNode;
}

export function EventFormSection({ title, id, children }: EventFormSectionProps) {
  return (
    <fieldset className={styles.section}>
      <legend id={id}>{title}</legend>
      {children}
    </fieldset>
  );
}
