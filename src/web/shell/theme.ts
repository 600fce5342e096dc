import { useSyncExternalStore } from 'react';

/** `system` follows the device; the other two are chosen by the visitor. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'theme';
const watchers = new Set<() => void>();

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(watch, chosenTheme);
  return [theme, chooseTheme];
}

function watch(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}

function chosenTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Logging out clears this site's storage, except for the theme, which isn't personal. */
export function preserveTheme(): void {
  chooseTheme(chosenTheme());
}

function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Without storage, the choice lasts until the page closes.
  }
  for (const notify of watchers) notify();
}
