import type { ReactNode } from 'react';
import { Icon, type IconName } from '#web/ui/icons/Icon.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './Banner.module.css';

export type BannerKind = 'info' | 'success' | 'warning' | 'error';

const icons: Record<BannerKind, IconName> = { info: 'info', success: 'check', warning: 'alert', error: 'octagon' };

/** A persistent message. Set `role` (`status`, `alert`) only if it appears after the page has loaded. */
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
  /** A button or link on the right. */
  action?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
}) {
  return (
    <div className={classNames(styles.banner, styles[kind], className)} role={role}>
      <Icon name={icons[kind]} className={styles.icon} />
      <div className={styles.text}>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div>{children}</div>}
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
