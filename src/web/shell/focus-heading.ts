const TIMEOUT_MS = 5000;

/** Focuses the screen's `h1`, waiting until the screen has loaded. Returns a function that cancels. */
export function focusHeading(): () => void {
  const main = document.getElementById('main');
  if (!main || focused(main)) return () => {};

  const observer = new MutationObserver(() => {
    if (focused(main)) observer.disconnect();
  });
  observer.observe(main, { childList: true, subtree: true });
  const timer = setTimeout(() => observer.disconnect(), TIMEOUT_MS);
  return () => {
    observer.disconnect();
    clearTimeout(timer);
  };
}

function focused(main: HTMLElement): boolean {
  // The screen has already moved the focus.
  if (main !== document.activeElement && main.contains(document.activeElement)) return true;
  const heading = main.querySelector<HTMLElement>('h1');
  if (!heading) return false;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  return true;
}
