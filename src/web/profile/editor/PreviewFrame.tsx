import { useEffect, useRef, useState } from 'react';
import { previewPane as text } from '#messages/records/event-editor.ts';
import { useTheme } from '#web/shell/theme.ts';
import styles from './preview.module.css';
import { settleFrame, showInFrame } from './show-in-frame.ts';

const WIDTHS = { phone: 390, desktop: 1280 };
export type ScreenSize = keyof typeof WIDTHS;

/** The page at the width of a screen, scaled down to the room there is. */
export function PreviewFrame({ html, size }: { html: string; size: ScreenSize }) {
  const room = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const [{ width, height }, setRoom] = useState({ width: 0, height: 0 });
  const [theme] = useTheme();

  useEffect(() => {
    if (!room.current) return undefined;
    const watcher = new ResizeObserver(([entry]) => entry && setRoom(entry.contentRect));
    watcher.observe(room.current);
    return () => watcher.disconnect();
  }, []);

  useEffect(() => {
    if (frame.current) showInFrame(frame.current, html);
  }, [html]);

  // The theme is read from the document.
  useEffect(() => {
    if (frame.current) settleFrame(frame.current);
  }, [theme]);

  useEffect(() => {
    const scale = Math.min(1, width / WIDTHS[size]);
    if (!frame.current || scale === 0) return;
    Object.assign(frame.current.style, {
      width: `${WIDTHS[size]}px`,
      height: `${height / scale}px`,
      transform: `scale(${scale})`,
    });
  }, [size, width, height]);

  return (
    <div ref={room} className={styles.room} data-size={size}>
      <iframe
        ref={frame}
        title={text.frame}
        // Without scripts. Of the same origin, so that it loads a draft's photos and its theme can be set.
        sandbox="allow-same-origin"
        className={styles.frame}
        onLoad={({ currentTarget }) => settleFrame(currentTarget)}
      />
    </div>
  );
}
