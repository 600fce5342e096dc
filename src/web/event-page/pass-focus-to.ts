/**
 * Makes a `ref` for a button that goes away once it has done its work: the focus that was on it goes on to what `selector` finds.
 * To be made once and not with each drawing: React takes another `ref` for another button.
 */
export const handFocusOn = (selector: string) => (button: HTMLElement | null) => () => {
  if (button && document.activeElement === button) document.querySelector<HTMLElement>(selector)?.focus();
};
