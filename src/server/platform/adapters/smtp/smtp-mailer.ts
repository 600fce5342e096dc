/** Sends emails through an SMTP server, over TLS unless the operator allows plain text. */
import nodemailer from 'nodemailer';
import type NodemailerTransport from 'nodemailer/lib/mailer/index.js';
import type { Email, Mailer, MailServerProblem } from '#server/platform/ports/mailer.ts';

const CONNECT_MS = 10_000;
const RESPONSE_MS = 30_000;

export interface MailServer {
  url: string;
  allowsPlainText: boolean;
}

export function smtpMailer({ from, ...server }: MailServer & { from: string }): Mailer & { close(): void } {
  const transport = nodemailer.createTransport({ ...optionsOf(server), pool: true, maxConnections: 2 });

  return {
    async send(email) {
      await transport.sendMail(messageOf(email, from));
    },
    close: () => transport.close(),
  };
}

/** Connects and logs in, without sending anything. Returns null if emails can be sent. */
export async function findMailServerProblem(server: MailServer): Promise<MailServerProblem | null> {
  const transport = nodemailer.createTransport(optionsOf(server));
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return { kind: hasNoTls(error) ? 'no-tls' : 'unreachable', reason: error instanceof Error ? error.message : '' };
  } finally {
    transport.close();
  }
}

/** The server answered for good that it can't encrypt. A failing network or an expired certificate may be mended. */
function hasNoTls(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && error.code === 'ETLS')) return false;
  return 'responseCode' in error && typeof error.responseCode === 'number' && error.responseCode >= 500;
}

function optionsOf({ url, allowsPlainText }: MailServer) {
  const address = new URL(url);
  // Nodemailer prefers the address's parameters to its options, and these would allow plain text.
  for (const name of ['requireTLS', 'ignoreTLS', 'opportunisticTLS']) address.searchParams.delete(name);
  return {
    url: address.href,
    requireTLS: !allowsPlainText,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: RESPONSE_MS,
  };
}

/** Nodemailer's message for an email. The inbox uses it too. */
export function messageOf(email: Email, from: string): NodemailerTransport.Options {
  return {
    messageId: `<${email.messageId}>`,
    from: email.fromName === undefined ? from : { name: oneLine(email.fromName), address: addressIn(from) },
    // Objects, so that a comma in an address cannot add a recipient.
    to: { name: '', address: email.to },
    ...(email.replyTo !== undefined && { replyTo: { name: '', address: oneLine(email.replyTo) } }),
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

/** Of `Name <address>`, as operators write it. */
const addressIn = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;

/** Headers must not contain line breaks, but event titles can. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
