import { useEffect, useState } from 'react';
import { toast } from '#web/ui/feedback/toast.ts';
import { Icon } from '#web/ui/icons/Icon.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import iconButton from './IconButton.module.css';

const DONE_MS = 2000;

/** Copies text to the clipboard, with a fallback message from the caller. */
export function CopyButton({
  text,
  label,
  copied = 'Copied',
  failed = 'Your browser blocked copying. Select the text instead.',
  className,
}: {
  text: string;
  label: string;
  copied?: string;
  failed?: string;
  className?: string | undefined;
}) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), DONE_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      toast.success(copied);
    } catch {
      toast.error(failed);
    }
  }

  return (
    <button
      type="button"
      className={classNames(iconButton.button, className)}
      aria-label={label}
      title={label}
      onClick={copy}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
    </button>
  );
}
