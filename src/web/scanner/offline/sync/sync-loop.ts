import { LIST_EVERY_MS } from '#contract/door.ts';
import { pauseAfter } from '../connection.ts';

/**
 * Asks for news every few seconds while somebody looks at the page; less often while nobody answers. Never twice at once.
 * `ask` says whether it got an answer.
 */
export function startNews(ask: () => Promise<boolean>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isAsking = false;
  let isHinted = false;
  let isOver = false;

  async function turn() {
    clearTimeout(timer);
    if (isAsking || isOver || document.hidden) return;
    isAsking = true;
    isHinted = false;
    const isAnswered = await ask().catch(() => false);
    isAsking = false;
    failures = isAnswered ? 0 : failures + 1;
    const pause = isAnswered ? LIST_EVERY_MS : pauseAfter(failures);
    if (!isOver) timer = setTimeout(() => void turn(), isHinted ? 0 : pause);
  }

  /** A hint, no more: browsers call a network online that leads nowhere. */
  const atOnce = () => {
    isHinted = true;
    void turn();
  };
  const hints = [
    [window, 'online'],
    [window, 'offline'],
    [document, 'visibilitychange'],
  ] as const;
  for (const [source, name] of hints) source.addEventListener(name, atOnce);
  atOnce();
  return () => {
    isOver = true;
    clearTimeout(timer);
    for (const [source, name] of hints) source.removeEventListener(name, atOnce);
  };
}
