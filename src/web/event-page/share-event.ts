import { linkCopied, linkNotCopied } from '#messages/pages.ts';
import { toast } from '#web/ui/feedback/toast.ts';

/** Opens the device's share sheet, or copies the link if there is none. */
export async function shareEvent(title: string) {
  const url = window.location.href;
  if ('share' in navigator) {
    try {
      await navigator.share({ title, url });
      return;
    } catch (error) {
      // The user closed the sheet.
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    toast.success(linkCopied);
  } catch {
    toast.error(linkNotCopied);
  }
}
