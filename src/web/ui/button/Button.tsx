import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './Button.module.css';

interface Look {
  kind?: 'primary' | 'gold' | 'ghost' | 'danger' | undefined;
  size?: 'md' | 'lg' | undefined;
  className?: string | undefined;
  children?: ReactNode;
}

/** While busy it keeps the focus and its place, but ignores clicks: `disabled` would drop the focus. */
export function Button({
  kind = 'primary',
  size = 'md',
  busy = false,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: Look & { busy?: boolean | undefined } & Omit<ComponentProps<'button'>, 'className' | 'children'>) {
  return (
    <button
      {...rest}
      type={type}
      className={lookOf(kind, size, className)}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </button>
  );
}

type Target = { to: string; href?: never; replace?: boolean } | { href: string; to?: never; replace?: never };

/** A link with the look of a button: `to` stays in the app, `href` leaves it. */
export function ButtonLink({
  kind = 'primary',
  size = 'md',
  className,
  children,
  to,
  href,
  replace,
  ...rest
}: Look & Target & Omit<ComponentProps<'a'>, 'className' | 'children' | 'href'>) {
  const look = lookOf(kind, size, className);
  if (to === undefined) {
    return (
      <a {...rest} href={href} className={look}>
        {children}
      </a>
    );
  }
  return (
    <Link {...rest} to={to} replace={replace ?? false} className={look}>
      {children}
    </Link>
  );
}

function lookOf(kind: string, size: string, className: string | undefined): string {
  return classNames(styles.button, styles[kind], styles[size], className);
}
