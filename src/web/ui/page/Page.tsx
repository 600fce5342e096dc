import type { ReactNode } from 'react';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './Page.module.css';
import { usePageTitle } from './page-title.ts';

/** The frame of an ordinary screen: its title in the tab, its `h1`, its width. */
export function Page({
  title,
  heading = title,
  lead,
  actions,
  width = 'wide',
  className,
  children,
}: {
  /** The name of the tab. Without it the screen names the tab and draws its `h1` itself. */
  title?: string | undefined;
  /** The `h1`, where it is not the title. `null` when the screen draws its own. */
  heading?: ReactNode;
  lead?: ReactNode;
  /** Buttons at the right of the heading. */
  actions?: ReactNode;
  /** `narrow` for forms, `text` for reading, `wide` for the rest. */
  width?: 'narrow' | 'text' | 'wide';
  className?: string | undefined;
  children: ReactNode;
}) {
  usePageTitle(title);
  return (
    <div className={classNames(styles.page, styles[width], className)}>
      {heading !== null && heading !== undefined && (
        <div className={styles.head}>
          <div className={styles.words}>
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
