/** Sends emails through an SMTP server. */
import nodemailer from 'nodemailer';
import type NodemailerTransport from 'nodemailer/lib/mailer/index.js';
import type { Email, Mailer } from '#server/platform/ports/mailer.ts';

const CONNECT_MS = 10_000;
const RESPONSE_MS = 30_000;

export function smtpMailer({ url, from }: { url: string; from: string }): Mailer & { close(): void } {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: RESPONSE_MS,
  });

  return {
    async send(email) {
      await transport.sendMail(messageOf(email, from));
    },
    close: () => transport.close(),
  };
}

/** Nodemailer's message for an email. The inbox uses it too. */
export function messageOf(email: Email, from: string): NodemailerTransport.Options {
  return {
    messageId: `<${email.messageId}>`,
    from,
    // An object, so that a comma in the address cannot add a recipient.
    to: { name: '', address: email.to },
    subject: oneLine(email.subject),
    text: email.text,
    html: email.html,
    attachments: email.attachments.map(({ fileName, contentType, content, contentId }) => ({
      filename: oneLine(fileName),
      contentType,
      content,
      ...(contentId ? { cid: contentId, contentDisposition: 'inline' as const } : {}),
    })),
    // Attachments always carry their content, so Nodemailer must never read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Headers must not contain line breaks, but event titles can. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
