import { type ReactNode, useState } from 'react';
import { previewPane as text } from '#messages/records/event-editor.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { PreviewFrame, type ScreenSize } from './PreviewFrame.tsx';
import styles from './preview.module.css';
import type { Preview } from './use-preview.ts';

const SIZES = ['phone', 'desktop'] as const satisfies readonly ScreenSize[];

interface PreviewPaneProps {
  preview: Preview;
  isNew: boolean;
  /** A link to the page itself. */
  link: ReactNode;
}

/** The real page of the event, as buyers will see it. */
export function PreviewPane({ preview: { shown, replaced, failure, retry }, isNew, link }: PreviewPaneProps) {
  const [size, setSize] = useState<ScreenSize>('phone');
  return (
    <section className={styles.pane} aria-labelledby="preview-title">
      <div className={styles.head}>
        <h2 id="preview-title">{text.title}</h2>
        <div role="group" aria-label={text.sizes} className={styles.sizes}>
          {SIZES.map((one) => (
            <Button key={one} kind="ghost" aria-pressed={one === size} onClick={() => setSize(one)}>
              {text[one]}
            </Button>
          ))}
        </div>
        {link}
      </div>
      <p role="status" className={styles.note}>
        {replaced > 0 && (isNew ? text.incomplete(replaced) : text.stored(replaced))}
      </p>
      {failure && <NotLoaded msg={failure.msg} mayRetry={failure.mayRetry} onRetry={async () => retry()} />}
      {!shown && !failure && <Skeleton className={styles.loading} />}
      {shown && (shown.html === null ? <p>{text.none}</p> : <PreviewFrame html={shown.html} size={size} />)}
    </section>
  );
}
