import type { Deps } from '#server/platform/deps.ts';
import { isErased } from '#server/platform/erased-address.ts';
import { markEmailSent, unsentEmail } from '#server/platform/outbox/outbox.sql.ts';
import { renderEmail } from './render-email.ts';

/** Sends a queued mail; does nothing when it was sent before. Throws when it could not be sent, to be tried again. */
export async function sendEmail(
  deps: Pick<Deps, 'db' | 'mailer' | 'clock' | 'publicUrl' | 'appSecret'>,
  { mailId }: { mailId: string },
): Promise<void> {
  const mail = await unsentEmail(deps.db, mailId);
  if (!mail) return;

  // Whoever it was for has been deleted meanwhile.
  const letter = isErased(mail.toAddress) ? null : await renderEmail(deps, mail);
  // A crash between these two sends the mail again: under the same id, by which mail servers know it.
  const messageId = `${mail.id}@${new URL(deps.publicUrl).hostname}`;
  if (letter) await deps.mailer.send({ messageId, to: mail.toAddress, ...letter });
  await markEmailSent(deps.db, mail.id, deps.clock.now());
}
