import type { ComponentProps } from 'react';
import { Icon, type IconName } from '#web/ui/icons/Icon.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './IconButton.module.css';

/** A 44 px target with an icon; `label` is its accessible name. */
export function IconButton({
  icon,
  label,
  className,
  size = 20,
  type = 'button',
  ...rest
}: { icon: IconName; label: string; size?: number } & Omit<ComponentProps<'button'>, 'children'>) {
  return (
    <button {...rest} type={type} className={classNames(styles.button, className)} aria-label={label} title={label}>
      <Icon name={icon} size={size} />
    </button>
  );
}
