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
  const LIMIT_MS = 120_000;
  const RETRY_AFTER_MS = 500;
  const pause = () => new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));

  /** @param {() => void} retry */
  const explain = (retry) => {
    const note = document.getElementById('not-loaded');
    if (!note) return;
    note.hidden = false;
    const hideAndRetry = () => {
      note.hidden = true;
      retry();
    };
    note.querySelector('button')?.addEventListener('click', hideAndRetry, { once: true });
  };

  /** @param {string} app the script that begins the page */
  const run = (app) => {
    const explainApp = () => explain(() => run(app));
    const limit = setTimeout(explainApp, LIMIT_MS);
    addEventListener('handstamp:ready', () => clearTimeout(limit), { once: true });
    import(app)
      .catch(() => pause().then(() => import(app)))
      .catch(() => {
        clearTimeout(limit);
        explainApp();
      });
  };

  /** @param {HTMLLinkElement} lost */
  const addAgain = (lost) => {
    const again = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: lost.href });
    again.dataset.again = '';
    lost.replaceWith(again);
  };

  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement && target.type === 'module') run(target.src);
      if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
      if ('again' in target.dataset) explain(() => addAgain(target));
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
      const button = target instanceof Element ? target.closest('button') : null;
      if (button) pressed.push(button);
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
