import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './Skeleton.module.css';

/** Placeholder for loading content. The surrounding screen announces the loading state. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <span className={classNames(styles.skeleton, className)} aria-hidden="true" />;
}
