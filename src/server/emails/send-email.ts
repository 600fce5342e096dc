import type { Deps } from '#server/platform/deps.ts';
import { isErased } from '#server/platform/erased-address.ts';
import { markEmailSent, unsentEmail } from '#server/platform/outbox/outbox.sql.ts';
import { renderEmail } from './render-email.ts';

/** Sends a queued email unless it was sent before. Throws if the mail server fails, so that the job is retried. */
export async function sendEmail(
  deps: Pick<Deps, 'db' | 'mailer' | 'clock' | 'publicUrl' | 'appSecret'>,
  { emailId }: { emailId: string },
): Promise<void> {
  const queued = await unsentEmail(deps.db, emailId);
  if (!queued) return;

  // The recipient's data may have been erased since the email was queued.
  const email = isErased(queued.toAddress) ? null : await renderEmail(deps, queued);
  // A crash before the row is marked sends the email twice. The stable id lets mail servers drop the duplicate.
  const messageId = `${queued.id}@${new URL(deps.publicUrl).hostname}`;
  if (email) await deps.mailer.send({ messageId, to: queued.toAddress, ...email });
  await markEmailSent(deps.db, queued.id, deps.clock.now());
}
