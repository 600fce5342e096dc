/** Where mail goes when there is no mail server: whole messages in the database, read at /sandbox/inbox. */
import nodemailer from 'nodemailer';
import { messageOf } from '#server/platform/adapters/smtp/smtp-mailer.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Mailer } from '#server/platform/ports/mailer.ts';
import { storeMessage } from './inbox.sql.ts';

export function inboxMailer({ db, clock, from }: Pick<Deps, 'db' | 'clock'> & { from: string }): Mailer {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

  return {
    async send(mail) {
      const { message } = await composer.sendMail({ ...messageOf(mail, from), date: clock.now() });
      if (!Buffer.isBuffer(message)) throw new TypeError('The composer was told to answer a buffer.');

      await storeMessage(db, { messageId: mail.messageId, toAddress: mail.to, raw: message, receivedAt: clock.now() });
    },
  };
}
