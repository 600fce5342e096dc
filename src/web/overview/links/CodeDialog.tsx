import { useRef } from 'react';
import type { TrackingLink } from '#contract/app/records/links.ts';
import { shareKit } from '#contract/app/records/overview.ts';
import { linksPage as text } from '#messages/records/tracking-links.ts';
import { addressOf } from '#web/api.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { CopyButton } from '#web/ui/button/CopyButton.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { QrCode } from '#web/ui/ticket/QrCode.tsx';
import styles from './links.module.css';

interface CodeDialogProps {
  eventId: string;
  link: TrackingLink;
  onClose: () => void;
}

/** The link to print. */
export function CodeDialog({ eventId, link: { name, slug, url }, onClose }: CodeDialogProps) {
  const code = useRef<HTMLDivElement>(null);
  const flyer = addressOf(shareKit, { eventId, kind: 'flyer', link: slug }).url;
  return (
    <Dialog title={text.codeNamed(name)} open onClose={onClose}>
      <div className={styles.code}>
        <div ref={code}>
          <QrCode value={url} size={240} />
        </div>
        <p>{text.codeHint}</p>
        <p className={styles.address}>
          <a href={url}>{url.replace(/^https?:\/\//, '')}</a>
          <CopyButton text={url} label={text.copyNamed(name)} />
        </p>
        <div className={styles.actions}>
          <Button kind="ghost" onClick={() => download(code.current, text.codeFile(slug))}>
            {text.downloadCode}
          </Button>
          <ButtonLink kind="ghost" href={flyer} download>
            {text.downloadFlyer}
          </ButtonLink>
        </div>
      </div>
    </Dialog>
  );
}

/** As a picture that prints sharp at any size. */
function download(container: HTMLElement | null, fileName: string): void {
  const svg = container?.querySelector('svg');
  if (!svg) return;
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(svg)], { type: 'image/svg+xml' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
