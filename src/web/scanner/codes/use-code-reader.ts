import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { loadCode } from '#web/load-code.ts';

const FRAME_MS = 100;
const RETRY_AFTER_MS = 5000;

const reader = () => loadCode(() => import('./read-codes.ts'));

/** Looks for codes ten times a second while `isActive`. Says whether the last frame held one. */
export function useCodeReader(
  video: RefObject<HTMLVideoElement | null>,
  isActive: boolean,
  onCode: (code: string) => void,
) {
  const [seesCode, setSeesCode] = useState(false);
  const [isBroken, setIsBroken] = useState(false);
  const tell = useEffectEvent(onCode);

  // While the camera still starts: the first frame that shows a code must read at once. A failure shows when it is needed.
  useEffect(() => {
    reader()
      .then(({ warmUp }) => warmUp())
      .catch(() => {});
  }, []);

  useEffect(() => {
    if (!isActive) return;
    let isOver = false;

    async function watch() {
      const { codeInBox, warmUp } = await reader();
      await warmUp();
      setIsBroken(false);
      while (!isOver) {
        const startedAt = performance.now();
        const code = video.current && !document.hidden ? await codeInBox(video.current) : null;
        if (isOver) return;
        setSeesCode(code !== null);
        if (code !== null) tell(code);
        await new Promise((next) => setTimeout(next, Math.max(0, FRAME_MS - (performance.now() - startedAt))));
      }
    }

    let retry: number | undefined;
    const watchOrRetry = () => {
      watch().catch(() => {
        if (isOver) return;
        setIsBroken(true);
        retry = window.setTimeout(watchOrRetry, RETRY_AFTER_MS);
      });
    };
    watchOrRetry();
    return () => {
      isOver = true;
      window.clearTimeout(retry);
      setSeesCode(false);
    };
  }, [isActive, video]);

  return { seesCode, isBroken };
}
