/** Hands mail to a mail server. */
import nodemailer from 'nodemailer';
import type { Mailer } from '#server/ports/mailer.ts';
import { messageOf } from './message-of.ts';

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
