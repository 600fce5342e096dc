import type { ReactNode } from 'react';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './Chip.module.css';

/** A status in one or two words. The tone only repeats the text. */
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
