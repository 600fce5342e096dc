// The one script that a page waits for. It is small, and a classic one: modules run only after the first paint.
// The page names it twice, in its head and at its end: the second finds its work done, unless the first was lost.
if (!('started' in document.documentElement.dataset)) {
  document.documentElement.dataset.started = '';

  // A chosen theme never flashes the other one. The key is the one of theme.ts.
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; the system's theme is fine then.
  }

  // What does not arrive is asked for once more. What still does not arrive is said in the page, which stays as it is.
  // Both times are also those of load-code.ts, for all that the app loads later.
  const LIMIT_MS = 120_000;
  const RETRY_AFTER_MS = 500;
  const pause = () => new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));

  /** Whether a reload would get this page: as in server-reachable.ts, for when that has not arrived. */
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
   * What is missing, and how to try again.
   * @type {Map<string, () => void>}
   */
  const missing = new Map();
  let isTrying = false;
  let explanation = '';

  /**
   * Shows the note of index.html, or what is being done about it.
   * @param {boolean} isShown
   */
  const show = (isShown) => {
    const note = document.getElementById('not-loaded');
    const sentence = note?.querySelector('p');
    const button = note?.querySelector('button');
    if (!note || !sentence || !button) return;
    explanation ||= sentence.textContent;
    // An alert is heard when its text changes, not in every browser when it is revealed.
    sentence.role = 'alert';
    sentence.textContent = '';
    if (!isShown && note.contains(document.activeElement)) document.getElementById('main')?.focus();
    note.hidden = !isShown;
    sentence.textContent = isTrying ? 'Trying again…' : explanation;
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
   * A browser may keep a failed module until the page is loaded again (docs/decisions/0035), so that comes after an attempt in place.
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

  // A stalled connection never fails by itself. Browsers join a second request for a module to the first one, so it is not made.
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
  // The entry has arrived, but not the screen that it needs.
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

  // A page that the server has drawn shows without code. So its code leaves the line to pictures and letters, and comes
  // when they are there, or when somebody touches the page, whichever is earlier.
  const { entry, code = '' } = document.currentScript.dataset;
  if (entry) {
    const PATIENCE_MS = 3000;
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
    // A button pressed too early is pressed again once it can answer.
    /** @param {MouseEvent} event */
    const keep = ({ target }) => {
      start();
      const button = target instanceof Element ? target.closest('#root button') : null;
      if (button instanceof HTMLButtonElement) pressed.push(button);
    };

    addEventListener('click', keep, true);
    for (const gesture of ['pointerdown', 'keydown', 'focusin']) {
      addEventListener(gesture, start, { once: true, passive: true });
    }
    // After the paint, not before: in the frame that shows the pictures there is no time to spare.
    const soon = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 200));
    addEventListener('load', () => requestAnimationFrame(() => setTimeout(() => soon(start))));
    setTimeout(start, PATIENCE_MS);
    addEventListener(
      'handstamp:ready',
      () => {
        removeEventListener('click', keep, true);
        // One at a time: the second press must meet what the first has changed.
        for (const button of pressed) setTimeout(() => button.click());
      },
      { once: true },
    );
  }
}
