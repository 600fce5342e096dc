import { useEffect, useRef, useState } from 'react';
import { embedSettings as text } from '#messages/programs/embed.ts';
import styles from './embed-dialog.module.css';

const HEIGHT_MAX = 20_000;

/** The frame of embed.js, without the element: what is in it is the same. In the theme that the workspace has. */
export function Preview({ eventId }: { eventId: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const onMessage = ({ origin, source, data }: MessageEvent<unknown>) => {
      if (origin !== window.location.origin || source !== frame.current?.contentWindow) return;
      setHeight(heightIn(data));
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, []);

  const { theme } = document.documentElement.dataset;
  return (
    <iframe
      ref={frame}
      className={styles.preview}
      title={text.preview}
      src={`/embed/${eventId}${theme ? `#${theme}` : ''}`}
      height={height}
    />
  );
}

function heightIn(data: unknown): number {
  const height = typeof data === 'object' && data !== null && 'height' in data ? data.height : 0;
  return typeof height === 'number' ? Math.min(height, HEIGHT_MAX) : 0;
}
