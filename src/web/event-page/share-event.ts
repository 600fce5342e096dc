import { toast } from '#web/ui/feedback/toast.ts';

/** The device's own share sheet, else the link in the clipboard. */
export async function shareEvent(title: string) {
  const url = window.location.href;
  if ('share' in navigator) {
    try {
      await navigator.share({ title, url });
      return;
    } catch (error) {
      // Closing the sheet is an answer too.
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    toast.success('Link copied to clipboard!');
  } catch {
    toast.error('Failed to copy the link :(');
  }
}
