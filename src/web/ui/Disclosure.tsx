import { type ReactNode, useId, useState } from 'react';
import { classNames } from './class-names.ts';
import styles from './Disclosure.module.css';
import { Icon } from './Icon.tsx';

/** A button that shows and hides what follows it. */
export function Disclosure({
  show,
  hide,
  startsOpen = false,
  className,
  children,
}: {
  /** The button's words while closed, and while open. */
  show: string;
  hide: string;
  startsOpen?: boolean;
  className?: string | undefined;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(startsOpen);
  const id = useId();
  return (
    <div className={className}>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="chevron-down" className={classNames(styles.chevron, isOpen && styles.turned)} />
        {isOpen ? hide : show}
      </button>
      <div id={id} hidden={!isOpen} className={styles.content}>
        {isOpen && children}
      </div>
    </div>
  );
}
