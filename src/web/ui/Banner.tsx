import type { ReactNode } from 'react';
import styles from './Banner.module.css';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './Icon.tsx';

export type BannerKind = 'info' | 'success' | 'warning' | 'error';

const icons: Record<BannerKind, IconName> = { info: 'info', success: 'check', warning: 'alert', error: 'octagon' };

/** A message that stays. Give it a `role` (`status`, `alert`) only where it appears after the page. */
export function Banner({
  kind = 'info',
  title,
  role,
  action,
  className,
  children,
}: {
  kind?: BannerKind;
  title?: ReactNode;
  role?: 'status' | 'alert' | undefined;
  /** A button or link at the right. */
  action?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
}) {
  return (
    <div className={classNames(styles.banner, styles[kind], className)} role={role}>
      <Icon name={icons[kind]} className={styles.icon} />
      <div className={styles.words}>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div>{children}</div>}
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
