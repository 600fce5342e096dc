/** A `ref` that scrolls content below a dialog's fold into view once, when it appears. */
export function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
