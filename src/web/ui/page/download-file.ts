import { prepareExport } from '#contract/app/records/exports.ts';
import { downloadFailed } from '#messages/pages.ts';
import { call, messageFrom } from '#web/api.ts';
import { toast } from '#web/ui/feedback/toast.ts';

/** Downloads personal data. Asks for the password first if necessary, because a download can't. */
export async function downloadFile(url: string): Promise<void> {
  try {
    await call(prepareExport, {});
  } catch (error) {
    toast.error(messageFrom(error, downloadFailed));
    return;
  }
  const link = document.createElement('a');
  link.href = url;
  // Makes the reply a file, so even an error leaves the page in place.
  link.download = '';
  link.click();
}
