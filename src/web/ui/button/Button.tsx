import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './Button.module.css';

interface ButtonStyle {
  kind?: 'primary' | 'gold' | 'ghost' | 'danger' | undefined;
  size?: 'md' | 'lg' | undefined;
  className?: string | undefined;
  children?: ReactNode;
}

/** Keeps focus and position while busy but ignores clicks: `disabled` would drop the focus. */
export function Button({
  kind = 'primary',
  size = 'md',
  busy = false,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonStyle & { busy?: boolean | undefined } & Omit<ComponentProps<'button'>, 'className' | 'children'>) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClasses(kind, size, className)}
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

/** A link styled as a button: `to` stays in the app, `href` leaves it. */
export function ButtonLink({
  kind = 'primary',
  size = 'md',
  className,
  children,
  to,
  href,
  replace,
  ...rest
}: ButtonStyle & Target & Omit<ComponentProps<'a'>, 'className' | 'children' | 'href'>) {
  const style = buttonClasses(kind, size, className);
  if (to === undefined) {
    return (
      <a {...rest} href={href} className={style}>
        {children}
      </a>
    );
  }
  return (
    <Link {...rest} to={to} replace={replace ?? false} className={style}>
      {children}
    </Link>
  );
}

/** For a link outside the app, whose code brings no router. */
export function buttonClasses(kind: string, size: string, className?: string): string {
  return classNames(styles.button, styles[kind], styles[size], className);
}
