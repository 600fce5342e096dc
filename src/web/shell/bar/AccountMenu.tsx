import { useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { topBar as text } from '#messages/records/top-bar.ts';
import { accountAt, yourDataAt } from '#web/shell/workspace/addresses.ts';
import { Icon } from '#web/ui/icons/Icon.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';
import styles from './top-bar.module.css';
import { useLogOut } from './use-log-out.tsx';

/** What concerns the person. Closes on Escape, on a click elsewhere, and when the focus leaves it. */
export function AccountMenu({ name }: { name: string | null }) {
  const id = useId();
  const { key } = useLocation();
  const [openAt, setOpenAt] = useState<string | null>(null);
  const isOpen = openAt === key;
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { isBusy, logOut, question } = useLogOut();
  useClosing(isOpen, menu, (returnsFocus) => {
    setOpenAt(null);
    if (returnsFocus) button.current?.focus();
  });

  return (
    <div ref={menu} className={styles.menu}>
      <button
        ref={button}
        type="button"
        className={styles.avatar}
        aria-label={text.menu}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpenAt(isOpen ? null : key)}
      >
        {name ? <span aria-hidden="true">{initialOf(name)}</span> : <Icon name="users" />}
      </button>
      <div id={id} className={styles.panel} hidden={!isOpen}>
        {isOpen && (
          <>
            {name && <p className={styles.name}>{name}</p>}
            <ul>
              <li>
                <Link to={accountAt} onClick={() => setOpenAt(null)}>
                  {text.account}
                </Link>
              </li>
              <li>
                <Link to={yourDataAt} onClick={() => setOpenAt(null)}>
                  {text.yourData}
                </Link>
              </li>
            </ul>
            <ThemeChoice />
            <button type="button" className={styles.out} aria-busy={isBusy} onClick={() => void logOut()}>
              <Icon name="log-out" />
              {text.logOut}
            </button>
          </>
        )}
      </div>
      {question}
    </div>
  );
}

/** Not half of a letter that takes two code units. */
const initialOf = (name: string) => String.fromCodePoint(name.codePointAt(0) ?? 32).toLocaleUpperCase('en-US');

function useClosing(isOpen: boolean, menu: { current: HTMLElement | null }, close: (returnsFocus: boolean) => void) {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      latest.current(true);
    };
    const onElsewhere = ({ target }: Event) => {
      if (target instanceof Node && !menu.current?.contains(target)) latest.current(false);
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onElsewhere);
    document.addEventListener('focusin', onElsewhere);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onElsewhere);
      document.removeEventListener('focusin', onElsewhere);
    };
  }, [isOpen, menu]);
}
