/**
 * Short messages at the top right. The library is fetched when somebody first touches the page or a message comes,
 * whichever is earlier: most visits to a public page show no toast, and should not pay for one.
 */
import type * as Toastify from 'react-toastify/unstyled';

type Library = typeof Toastify;
let fetched: Promise<Library> | undefined;

/** One promise for all messages: of two imports of the same file the later may be done first, and the order would be lost. */
function library(): Promise<Library> {
  fetched ??= import('react-toastify/unstyled').catch((cause: unknown) => {
    fetched = undefined;
    throw cause;
  });
  return fetched;
}

let wakeRegion = () => {};
const standingErrors = new Set<string | number>();

export const toast = {
  /** Said politely; a repeated success is one message. */
  success(msg: string): void {
    wakeRegion();
    void library().then(({ toast: show }) =>
      show.success(msg, { role: 'status', toastId: `said-${msg.replace(/\W+/g, '-')}` }),
    );
  },
  /** Said at once; every error stands, also when it is the same sentence twice. */
  error(msg: string): void {
    wakeRegion();
    void library().then(({ toast: show }) => standingErrors.add(show.error(msg, { role: 'alert' })));
  },
  /** What was wrong has been put right. */
  clearErrors(): void {
    if (standingErrors.size === 0) return;
    void library().then(({ toast: show }) => {
      for (const id of standingErrors) show.dismiss(id);
      standingErrors.clear();
    });
  },
};

/** Tells the region of the page when to appear. A message that is earlier than the region waits for it. */
export function onFirstToast(wake: () => void): () => void {
  wakeRegion = wake;
  const gestures = ['pointerdown', 'keydown', 'focusin'] as const;
  for (const gesture of gestures) document.addEventListener(gesture, wake, { once: true, passive: true });
  return () => {
    wakeRegion = () => {};
    for (const gesture of gestures) document.removeEventListener(gesture, wake);
  };
}
