import styles from './CancelConsequences.module.css';

interface CancelConsequencesProps {
  /** What is refunded. */
  preview: string;
  consequences: readonly string[];
}

/** What cancelling an event, or several, means. */
export function CancelConsequences({ preview, consequences }: CancelConsequencesProps) {
  return (
    <>
      <p className={styles.preview}>{preview}</p>
      <ul className={styles.consequences}>
        {consequences.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </>
  );
}
