import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './Skeleton.module.css';

/** The place of something that is still loading. The screen around it says so in words. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <span className={classNames(styles.skeleton, className)} aria-hidden="true" />;
}
