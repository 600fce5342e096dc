/**
 * A `ref` for a button that disappears after a click: on unmount, its focus moves to the element that matches `selector`. Create
 * it outside of components: React would treat a new `ref` in each render as an unmount.
 */
export const passFocusTo = (selector: string) => (button: HTMLElement | null) => () => {
  if (button && document.activeElement === button) document.querySelector<HTMLElement>(selector)?.focus();
};
