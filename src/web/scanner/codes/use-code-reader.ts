import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { loadCode } from '#web/load-code.ts';

const FRAME_MS = 100;
const RETRY_AFTER_MS = 5000;

const reader = () => loadCode(() => import('./read-codes.ts'));

/** Reads codes ten times a second while `isActive`. `seesCode` tells whether the last frame had one. */
export function useCodeReader(
  video: RefObject<HTMLVideoElement | null>,
  isActive: boolean,
  onCode: (code: string) => void,
) {
  const [seesCode, setSeesCode] = useState(false);
  const [isBroken, setIsBroken] = useState(false);
  const handleCode = useEffectEvent(onCode);

  // Loads while the camera starts, so that the first frame with a code reads at once. A failure shows when the reader is needed.
  useEffect(() => {
    reader()
      .then(({ warmUp }) => warmUp())
      .catch(() => {});
  }, []);

  useEffect(() => {
    if (!isActive) return;
    let isStopped = false;

    async function readLoop() {
      const { codeInBox, warmUp } = await reader();
      await warmUp();
      setIsBroken(false);
      while (!isStopped) {
        const startedAt = performance.now();
        const code = video.current && !document.hidden ? await codeInBox(video.current) : null;
        if (isStopped) return;
        setSeesCode(code !== null);
        if (code !== null) handleCode(code);
        await new Promise((next) => setTimeout(next, Math.max(0, FRAME_MS - (performance.now() - startedAt))));
      }
    }

    let retry: number | undefined;
    const readWithRetry = () => {
      readLoop().catch(() => {
        if (isStopped) return;
        setIsBroken(true);
        retry = window.setTimeout(readWithRetry, RETRY_AFTER_MS);
      });
    };
    readWithRetry();
    return () => {
      isStopped = true;
      window.clearTimeout(retry);
      setSeesCode(false);
    };
  }, [isActive, video]);

  return { seesCode, isBroken };
}
