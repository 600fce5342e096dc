import { type ComponentType, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { unknownError } from '#messages/pages.ts';
import { topBar as text } from '#messages/records/top-bar.ts';
import { messageFrom } from '#web/call-error.ts';
import { loadCode } from '#web/load-code.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { Icon } from '#web/ui/icons/Icon.tsx';
import type { AccountPanelProps } from './AccountPanel.tsx';
import styles from './top-bar.module.css';

const loadPanel = () => loadCode(() => import('./AccountPanel.tsx'));

/** Closes on Escape, on a click elsewhere, and when the focus leaves it. */
export function AccountMenu({ name }: { name: string | null }) {
  const id = useId();
  const { key } = useLocation();
  const [openAt, setOpenAt] = useState<string | null>(null);
  const [Panel, setPanel] = useState<ComponentType<AccountPanelProps> | null>(null);
  const isOpen = openAt === key;
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useClosing(isOpen, menu, (returnsFocus) => {
    setOpenAt(null);
    if (returnsFocus) button.current?.focus();
  });

  async function toggle() {
    setOpenAt(isOpen ? null : key);
    if (Panel) return;
    try {
      const { Component } = await loadPanel();
      setPanel(() => Component);
    } catch (error) {
      setOpenAt(null);
      toast.error(messageFrom(error, unknownError));
    }
  }
  // A press asks again, and shows what failed.
  const loadEarly = () => void loadPanel().catch(() => undefined);

  return (
    <div ref={menu} className={styles.menu}>
      <button
        ref={button}
        type="button"
        className={styles.avatar}
        aria-label={text.menu}
        aria-expanded={isOpen}
        aria-controls={id}
        onPointerEnter={loadEarly}
        onFocus={loadEarly}
        onClick={() => void toggle()}
      >
        {name ? <span aria-hidden="true">{initialOf(name)}</span> : <Icon name="users" />}
      </button>
      <div id={id} className={styles.panel} hidden={!isOpen || !Panel}>
        {Panel && <Panel name={name} isOpen={isOpen} onClose={() => setOpenAt(null)} />}
      </div>
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
