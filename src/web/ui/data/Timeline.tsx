import { Icon } from '#web/ui/icons/Icon.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import text from '#web/ui/styles/text.module.css';
import styles from './Timeline.module.css';

interface TimelineStep {
  label: string;
  note?: string | undefined;
  is: 'done' | 'failed' | 'next' | 'ahead';
}

/** Ordered steps: a row, or a column on phones. */
export function Timeline({ label, steps }: { label: string; steps: readonly TimelineStep[] }) {
  return (
    <ol className={styles.timeline} aria-label={label}>
      {steps.map((step) => (
        <li
          key={step.label}
          className={classNames(styles.step, styles[step.is])}
          aria-current={step.is === 'next' ? 'step' : undefined}
        >
          <span className={styles.mark}>
            {step.is === 'done' && <Icon name="check" size={14} />}
            {step.is === 'failed' && <Icon name="close" size={14} />}
          </span>
          <span className={styles.label}>
            {step.label}
            {step.is === 'done' && <span className={text.srOnly}> (done)</span>}
          </span>
          {step.note && <span className={styles.note}>{step.note}</span>}
        </li>
      ))}
    </ol>
  );
}
