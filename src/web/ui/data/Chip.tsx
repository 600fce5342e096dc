import type { ReactNode } from 'react';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './Chip.module.css';

/** A state in a word or two. The tone only repeats what the word says. */
export function Chip({
  tone = 'off',
  className,
  children,
}: {
  tone?: 'ok' | 'few' | 'bad' | 'off' | 'note' | undefined;
  className?: string | undefined;
  children: ReactNode;
}) {
  return <span className={classNames(styles.chip, styles[tone], className)}>{children}</span>;
}
