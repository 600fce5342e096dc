import type { ReactNode } from 'react';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './Page.module.css';
import { usePageTitle } from './page-title.ts';

/** Standard page frame: document title, `h1` and width. */
export function Page({
  title,
  heading = title,
  lead,
  actions,
  width = 'wide',
  className,
  children,
}: {
  /** Document title. Without it, the screen sets the title and renders its own `h1`. */
  title?: string | undefined;
  /** The `h1` if it differs from the title; `null` if the screen renders its own. */
  heading?: ReactNode;
  lead?: ReactNode;
  /** Buttons to the right of the heading. */
  actions?: ReactNode;
  /** `narrow` for forms, `text` for reading, `wide` for everything else. */
  width?: 'narrow' | 'text' | 'wide';
  className?: string | undefined;
  children: ReactNode;
}) {
  usePageTitle(title);
  return (
    <div className={classNames(styles.page, styles[width], className)}>
      {heading !== null && heading !== undefined && (
        <div className={styles.head}>
          <div className={styles.title}>
            <h1 tabIndex={-1}>{heading}</h1>
            {lead && <p className={styles.lead}>{lead}</p>}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
      )}
      {children}
    </div>
  );
}
