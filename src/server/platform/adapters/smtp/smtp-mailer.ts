/** Hands mail to a mail server. */
import nodemailer from 'nodemailer';
import type NodemailerTransport from 'nodemailer/lib/mailer/index.js';
import type { Email, Mailer } from '#server/platform/ports/mailer.ts';

const CONNECT_MS = 10_000;
const ANSWER_MS = 30_000;

export function smtpMailer({ url, from }: { url: string; from: string }): Mailer & { close(): void } {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
  });

  return {
    async send(mail) {
      await transport.sendMail(messageOf(mail, from));
    },
    close: () => transport.close(),
  };
}

/** A mail in nodemailer's words, the same for a mail server and for the inbox. */
export function messageOf(mail: Email, from: string): NodemailerTransport.Options {
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
