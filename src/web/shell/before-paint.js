// The only render-blocking script: small and classic, because modules run after the first paint. The page references it
// in its head and again at its end, as a retry; the second run does nothing if the first one worked.
if (!('started' in document.documentElement.dataset)) {
  document.documentElement.dataset.started = '';

  // Applies the chosen theme before the first paint. The key is shared with theme.ts.
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // If storage is blocked, the system theme applies.
  }

  // Retries a failed script once, then shows a note in the page. The two delays are the same as in load-code.ts, which
  // loads all later code.
  const LIMIT_MS = 120_000;
  const RETRY_AFTER_MS = 500;
  const pause = () => new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));

  /** Whether a reload can succeed. Copy of server-reachable.ts, for when that has not loaded. */
  const serverAnswers = async () => {
    const signal = AbortSignal.timeout(10_000);
    try {
      const { status } = await fetch(location.href, { method: 'HEAD', cache: 'no-store', signal });
      return status < 500;
    } catch {
      return false;
    }
  };

  const APP = 'app';
  /**
   * Scripts that failed to load, with their retry.
   * @type {Map<string, () => void>}
   */
  const missing = new Map();
  let isTrying = false;
  let explanation = '';

  /**
   * Shows or hides the note in index.html.
   * @param {boolean} isShown
   */
  const show = (isShown) => {
    const note = document.getElementById('not-loaded');
    const paragraph = note?.querySelector('p');
    const button = note?.querySelector('button');
    if (!note || !paragraph || !button) return;
    explanation ||= paragraph.textContent;
    // Not every browser announces an alert that is revealed, but all announce changed text.
    paragraph.role = 'alert';
    paragraph.textContent = '';
    if (!isShown && note.contains(document.activeElement)) document.getElementById('main')?.focus();
    note.hidden = !isShown;
    paragraph.textContent = isTrying ? 'Trying again…' : explanation;
    button.ariaDisabled = String(isTrying);
    button.onclick = tryAgain;
  };

  const tryAgain = () => {
    if (isTrying) return;
    isTrying = true;
    show(true);
    for (const retry of missing.values()) retry();
  };

  /**
   * Retries in place first, then reloads: a browser may cache a failed module until then (docs/decisions/0035).
   * @param {string} what
   * @param {() => void} retry
   */
  const explain = async (what, retry) => {
    missing.set(what, retry);
    if (isTrying && (await serverAnswers())) return location.reload();
    if (!missing.has(what)) return;
    isTrying = false;
    show(true);
  };

  /** @param {string} what */
  const arrived = (what) => {
    missing.delete(what);
    if (missing.size > 0) return;
    isTrying = false;
    show(false);
  };

  // A stalled connection never fails by itself, and browsers join a second request for a module to the first, so don't
  // retry.
  const stalled = () => void explain(APP, stalled);
  let limit = setTimeout(stalled, LIMIT_MS);
  addEventListener(
    'handstamp:ready',
    () => {
      clearTimeout(limit);
      arrived(APP);
    },
    { once: true },
  );

  /** @param {() => void} retry */
  const lost = (retry) => {
    clearTimeout(limit);
    void explain(APP, retry);
  };
  // The entry loaded, but the screen it needs did not.
  addEventListener('handstamp:lost', /** @param {CustomEvent<() => void>} event */ ({ detail }) => lost(detail));

  /** @param {string} app the script that begins the page */
  const run = (app) => {
    clearTimeout(limit);
    limit = setTimeout(stalled, LIMIT_MS);
    import(app).catch(() => pause().then(() => import(app))).catch(() => lost(() => run(app)));
  };

  /** @param {HTMLLinkElement} link */
  const addAgain = (link) => {
    const again = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: link.href });
    again.dataset.again = '';
    again.onload = () => arrived(link.href);
    link.replaceWith(again);
  };

  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement && target.type === 'module') run(target.src);
      if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
      if ('again' in target.dataset) void explain(target.href, () => addAgain(target));
      else void pause().then(() => addAgain(target));
    },
    true,
  );

  // A server-rendered page is readable without JavaScript, so its code waits for images and fonts, or for the first
  // interaction, whichever comes first.
  const { entry, code = '' } = document.currentScript.dataset;
  if (entry) {
    const DELAY_MS = 3000;
    /** @type {HTMLButtonElement[]} */
    const pressed = [];
    let hasStarted = false;

    const start = () => {
      if (hasStarted) return;
      hasStarted = true;
      for (const href of code.split(' ').filter(Boolean)) {
        document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
      }
      run(entry);
    };
    // Replays a click that came before hydration.
    /** @param {MouseEvent} event */
    const capture = ({ target }) => {
      start();
      const button = target instanceof Element ? target.closest('#root button') : null;
      if (button instanceof HTMLButtonElement) pressed.push(button);
    };

    addEventListener('click', capture, true);
    for (const gesture of ['pointerdown', 'keydown', 'focusin']) {
      addEventListener(gesture, start, { once: true, passive: true });
    }
    // After the paint: the frame that shows the images has no time to spare.
    const soon = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 200));
    addEventListener('load', () => requestAnimationFrame(() => setTimeout(() => soon(start))));
    setTimeout(start, DELAY_MS);
    addEventListener(
      'handstamp:ready',
      () => {
        removeEventListener('click', capture, true);
        // One at a time: each click must see the effect of the one before.
        for (const button of pressed) setTimeout(() => button.click());
      },
      { once: true },
    );
  }
}
