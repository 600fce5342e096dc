/** Shows a page in a frame that runs no scripts. See docs/decisions/0080. */

const ROOT = 'root';
let policy: { createHTML(html: string): string } | undefined;

/**
 * The first page loads the frame. Later ones replace what it shows in place, so that it keeps its scroll position and
 * doesn't flash.
 */
export function showInFrame(frame: HTMLIFrameElement, html: string): void {
  // The server rendered it, and the sandbox of the frame runs none of its scripts.
  policy ??= window.trustedTypes?.createPolicy('preview', { createHTML: (page: string) => page });
  const trusted = policy?.createHTML(html) ?? html;
  const shown = frame.contentDocument;
  if (!shown?.getElementById(ROOT)) {
    frame.srcdoc = trusted;
    return;
  }
  const next = new DOMParser().parseFromString(trusted, 'text/html');
  shown.body.replaceWith(shown.adoptNode(next.body));
}

/** As the app is shown, whatever the device prefers. Links that are pressed open nothing: a sandbox has no other windows. */
export function settleFrame(frame: HTMLIFrameElement): void {
  const shown = frame.contentDocument;
  if (!shown?.getElementById(ROOT)) return;
  const { theme } = document.documentElement.dataset;
  if (theme) shown.documentElement.dataset['theme'] = theme;
  else delete shown.documentElement.dataset['theme'];
  if (!shown.querySelector('base')) shown.head.append(Object.assign(shown.createElement('base'), { target: '_blank' }));
}
