import { useState } from 'react';
import { linkCopied, linkNotCopied } from '#messages/pages.ts';
import { IconButton } from '#web/ui/button/IconButton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import styles from './CopyLink.module.css';

/** A link to share. Falls back to a selected text field where the clipboard is unavailable. */
export function CopyLink({ url }: { url: string }) {
  const [isRefused, setIsRefused] = useState(false);

  async function copy() {
    try {
      await navigator.clipboard.writeText(url);
      setIsRefused(false);
      toast.success(linkCopied);
    } catch {
      setIsRefused(true);
      toast.error(linkNotCopied);
    }
  }

  return (
    <span className={styles.link}>
      {isRefused ? (
        <input
          className={styles.selectable}
          readOnly
          value={url}
          aria-label="Event link, to copy by hand"
          ref={(field) => field?.select()}
        />
      ) : (
        <a href={url}>{url.replace(/^https?:\/\//, '')}</a>
      )}
      <IconButton label="Copy link" icon="copy" onClick={copy} />
    </span>
  );
}
