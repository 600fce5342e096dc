/**
 * What makes a panel modal.
 *
 * Not `showModal()`: it makes the whole rest of the document inert, toasts included, so the sentence about a wrong
 * field could be neither heard nor dismissed while the form is open. Here the page (`#root`) and the panels below the
 * top one are made inert, and the toasts, which live beside the page, stay alive above everything. `aria-modal` is
 * left out for the same reason: VoiceOver hides all that is outside such an element.
 */
import { type RefObject, useEffect, useEffectEvent } from 'react';

const open: HTMLElement[] = [];

export function useModal(
  panel: RefObject<HTMLElement | null>,
  onClose: () => void,
  /** Whether a click on what surrounds the panel closes it too. */
  { closesBeside = false } = {},
): void {
  const close = useEffectEvent(onClose);

  useEffect(() => {
    const element = panel.current;
    if (!element) return;
    const opener = document.activeElement;
    open.push(element);
    keepOnlyTopAlive();
    (element.querySelector<HTMLElement>('[data-autofocus]') ?? element).focus({ preventScroll: true });

    const onKey = (event: KeyboardEvent) => {
      if (open.at(-1) !== element || event.defaultPrevented) return;
      if (event.key === 'Escape') {
        event.preventDefault();
        close();
      }
    };
    const onClick = (event: MouseEvent) => {
      if (closesBeside && event.target === element.parentElement) close();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('click', onClick);
    return () => {
      document.removeEventListener('click', onClick);
      document.removeEventListener('keydown', onKey);
      open.splice(open.indexOf(element), 1);
      keepOnlyTopAlive();
      // Where the opener is gone (a deleted row), the page's heading is the best place left.
      if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
      else document.querySelector<HTMLElement>('main h1')?.focus();
    };
  }, [panel, closesBeside]);
}

function keepOnlyTopAlive(): void {
  const root = document.getElementById('root');
  if (root) root.inert = open.length > 0;
  open.forEach((element, index) => {
    element.inert = index < open.length - 1;
  });
  holdPage(open.length > 0);
}

/** The page behind a panel does not scroll, nor jump by the width of the scroll bar that this takes away. */
function holdPage(isHeld: boolean): void {
  const page = document.documentElement;
  if (isHeld === page.hasAttribute('data-modal')) return;
  document.body.style.paddingRight = isHeld ? `${window.innerWidth - page.clientWidth}px` : '';
  page.toggleAttribute('data-modal', isHeld);
}

/** Panels are drawn beside the page, or they would be inert with it. */
export function modalHost(): HTMLElement {
  return document.getElementById('modals') ?? document.body;
}
