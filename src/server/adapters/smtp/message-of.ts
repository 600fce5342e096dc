/** A mail in nodemailer's words, the same for a mail server and for the inbox. */
import type Mailer from 'nodemailer/lib/mailer/index.js';
import type { Mail } from '#server/ports/mailer.ts';

export function messageOf(mail: Mail, from: string): Mailer.Options {
  return {
    messageId: `<${mail.messageId}>`,
    from,
    // As an object, so that a comma in the address can never add a second recipient.
    to: { name: '', address: mail.to },
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    attachments: mail.attachments.map(({ fileName, contentType, content, contentId }) => ({
      filename: oneLine(fileName),
      contentType,
      content,
      ...(contentId ? { cid: contentId, contentDisposition: 'inline' as const } : {}),
    })),
    // Content is always given, never a name: a mail must not read our disk or the network.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** An event's title may hold a line break; a header may not. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
