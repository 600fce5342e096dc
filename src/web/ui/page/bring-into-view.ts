/** A `ref` for what appears below the fold of a dialog: it scrolls there once, when it appears. */
export function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
