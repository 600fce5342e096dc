/** Stores emails in the database if no email server is configured. /sandbox/inbox shows them. */
import nodemailer from 'nodemailer';
import { messageOf } from '#server/platform/adapters/smtp/smtp-mailer.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Mailer } from '#server/platform/ports/mailer.ts';
import { storeMessage } from './inbox.sql.ts';

export function inboxMailer({ db, clock, from }: Pick<Deps, 'db' | 'clock'> & { from: string }): Mailer {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

  return {
    async send(email) {
      const { message } = await composer.sendMail({ ...messageOf(email, from), date: clock.now() });
      if (!Buffer.isBuffer(message)) throw new TypeError('Nodemailer returned no buffer.');

      await storeMessage(db, {
        messageId: email.messageId,
        toAddress: email.to,
        raw: message,
        receivedAt: clock.now(),
      });
    },
  };
}
