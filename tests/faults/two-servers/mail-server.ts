/** A real SMTP server with configurable failures, and a page that lists what arrived. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

export interface ReceivedEmail {
  to: string;
  messageId: string;
  subject: string;
  text: string;
}

export interface MailServer {
  url: string;
  /** Serves `/sandbox/inbox.json?to=` like the built-in inbox. */
  inboxUrl: string;
  arrived: ReceivedEmail[];
  /** `null` accepts email; a number is the reply code for every email, or only for those to one address. */
  reply: { code: number | null; onlyTo?: string };
  /** Called after an email is accepted, before the reply is sent. */
  onAccepted: (email: ReceivedEmail) => Promise<void>;
  close(): Promise<void>;
}

export async function openMailServer(): Promise<MailServer> {
  const server: MailServer = {
    url: '',
    inboxUrl: '',
    arrived: [],
    reply: { code: null },
    onAccepted: async () => {},
    close: async () => {},
  };
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      const { code, onlyTo } = server.reply;
      if (code === null || (onlyTo !== undefined && onlyTo !== address)) return done();
      done(Object.assign(new Error('not now'), { responseCode: code }));
    },
    onData: callbackify(async (stream: Readable, { envelope }: SMTPServerSession) => {
      const to = envelope.rcptTo[0]?.address ?? '';
      const { messageId = '', subject = '', text: plainText = '' } = await PostalMime.parse(await text(stream));
      const email = { to, messageId, subject, text: plainText };
      server.arrived.push(email);
      await server.onAccepted(email);
    }),
  });
  smtp.on('error', () => {});
  await new Promise<void>((resolve) => void smtp.listen(0, '127.0.0.1', () => resolve()));
  const inbox = createServer((request, reply) => {
    const to = new URL(request.url ?? '/', 'http://inbox').searchParams.get('to');
    reply.end(JSON.stringify(server.arrived.filter((email) => email.to === to).toReversed()));
  }).listen(0, '127.0.0.1');
  await once(inbox, 'listening');
  server.url = `smtp://127.0.0.1:${portOf(smtp.server.address())}`;
  server.inboxUrl = `http://127.0.0.1:${portOf(inbox.address())}`;
  server.close = async () => {
    await new Promise<void>((resolve) => smtp.close(() => resolve()));
    inbox.close();
    inbox.closeAllConnections();
  };
  return server;
}

const portOf = (address: AddressInfo | string | null) =>
  address !== null && typeof address === 'object' ? address.port : 0;
