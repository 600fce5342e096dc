/**
 * Makes a panel modal.
 *
 * Not with `showModal()`: it makes the whole document inert, including the toasts that report invalid fields. Instead,
 * the page (`#root`) and the panels below the top one become inert, while toasts, which render outside `#root`, stay
 * interactive. No `aria-modal` for the same reason: VoiceOver hides everything outside such an element.
 */
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from 'react';

const open: HTMLElement[] = [];

export function useModal(
  panel: RefObject<HTMLElement | null>,
  onClose: () => void,
  /** Whether a click on the backdrop also closes the panel. */
  { closesOnBackdrop = false } = {},
): void {
  const close = useEffectEvent(onClose);

  // Before the panel is painted: keys that are pressed as soon as it shows are for it.
  useLayoutEffect(() => {
    const element = panel.current;
    if (!element) return;
    const opener = document.activeElement;
    open.push(element);
    makeOthersInert();
    (element.querySelector<HTMLElement>('[data-autofocus]') ?? element).focus({ preventScroll: true });

    const onKey = (event: KeyboardEvent) => {
      if (open.at(-1) !== element || event.defaultPrevented) return;
      if (event.key === 'Escape') {
        event.preventDefault();
        close();
      }
    };
    const onClick = (event: MouseEvent) => {
      if (closesOnBackdrop && event.target === element.parentElement) close();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('click', onClick);
    return () => {
      document.removeEventListener('click', onClick);
      document.removeEventListener('keydown', onKey);
      open.splice(open.indexOf(element), 1);
      makeOthersInert();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, [panel, closesOnBackdrop]);

  // An opener that went with the panel (a deleted row) leaves the focus to the page's heading.
  useEffect(() => focusHeadingIfLost, []);
}

function focusHeadingIfLost(): void {
  if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus();
}

function makeOthersInert(): void {
  const root = document.getElementById('root');
  if (root) root.inert = open.length > 0;
  open.forEach((element, index) => {
    element.inert = index < open.length - 1;
  });
  lockScroll(open.length > 0);
}

/** Locks the page's scroll position without a layout shift from the missing scroll bar. */
function lockScroll(isLocked: boolean): void {
  const page = document.documentElement;
  if (isLocked === page.hasAttribute('data-modal')) return;
  document.body.style.paddingRight = isLocked ? `${window.innerWidth - page.clientWidth}px` : '';
  page.toggleAttribute('data-modal', isLocked);
}

/** Panels render outside #root, or they would be inert with the page. */
export function modalHost(): HTMLElement {
  return document.getElementById('modals') ?? document.body;
}
