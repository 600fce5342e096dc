import { Suspense, useEffect, useState } from 'react';
import { palette } from '#messages/records/workspace.ts';
import { lazyScreen } from '#web/shell/lazy-screen.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { Icon } from '#web/ui/icons/Icon.tsx';
import styles from './palette-button.module.css';
import { useOpenEvent } from './use-event-frame.ts';

const palettes = lazyScreen(() => import('./EventPalette.tsx'));

/** On a page, where there is no top bar. */
export const PagePaletteButton = () => <PaletteButton className={styles.narrow} />;

/** Opens the search for events and screens, as ⌘K and Ctrl+K do. */
export function PaletteButton({ className }: { className?: string | undefined }) {
  const frame = useOpenEvent();
  const [isOpen, setIsOpen] = useState(false);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      // The top bar has such a button, too.
      if (event.defaultPrevented) return;
      // A dialog is open: it may hold what was typed.
      if (document.documentElement.hasAttribute('data-modal')) return;
      event.preventDefault();
      setIsOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  return (
    <>
      <Button
        kind="ghost"
        className={className}
        aria-haspopup="dialog"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={() => setIsOpen(true)}
      >
        <Icon name="search" size={18} />
        {palette.open}
        <kbd className={styles.key} aria-hidden="true">
          {isApple() ? '⌘K' : 'Ctrl K'}
        </kbd>
      </Button>
      {isOpen && (
        <Suspense>
          <palettes.Component frame={frame} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent);
