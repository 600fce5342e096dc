import { useContext } from 'react';
import { thingsToFix } from '#messages/records/long-forms.ts';
import { FormContext } from './Form.tsx';
import styles from './ProblemCount.module.css';

/** Next to the button that sends a long form: how much is wrong above, and a way to the first of it. */
export function ProblemCount() {
  const count = Object.keys(useContext(FormContext)?.errors ?? {}).length;
  if (count === 0) return null;
  return (
    <button
      type="button"
      className={styles.count}
      onClick={({ currentTarget }) => currentTarget.form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()}
    >
      {thingsToFix(count)}
    </button>
  );
}
