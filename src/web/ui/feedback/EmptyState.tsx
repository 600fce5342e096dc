import { createElement, type ReactNode } from 'react';
import { LogoMark } from '#web/ui/icons/Logo.tsx';
import styles from './EmptyState.module.css';

/** Placeholder for an empty list, with actions. */
export function EmptyState({
  title,
  level = 2,
  actions,
  children,
}: {
  title: string;
  level?: 1 | 2 | 3;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <span className={styles.mark}>
        <LogoMark size={72} />
      </span>
      {createElement(`h${level}`, { tabIndex: -1, className: styles.title }, title)}
      {children && <div className={styles.text}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
