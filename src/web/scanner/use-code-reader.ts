import { type RefObject, useEffect, useEffectEvent, useState } from 'react';

const FRAME_MS = 100;

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
    import('./read-codes.ts').then(({ warmUp }) => warmUp()).catch(() => {});
  }, []);

  useEffect(() => {
    if (!isActive) return;
    let isOver = false;

    async function watch() {
      const { codeInBox } = await import('./read-codes.ts');
      while (!isOver) {
        const startedAt = performance.now();
        const code = video.current && !document.hidden ? await codeInBox(video.current) : null;
        if (isOver) return;
        setSeesCode(code !== null);
        if (code !== null) tell(code);
        await new Promise((next) => setTimeout(next, Math.max(0, FRAME_MS - (performance.now() - startedAt))));
      }
    }

    setIsBroken(false);
    watch().catch(() => setIsBroken(!isOver));
    return () => {
      isOver = true;
      setSeesCode(false);
    };
  }, [isActive, video]);

  return { seesCode, isBroken };
}
