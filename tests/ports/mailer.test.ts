import { once } from 'node:events';
import PostalMime, { type Email as ParsedEmail } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messagesOf } from '#server/platform/adapters/inbox/inbox.sql.ts';
import { inboxMailer } from '#server/platform/adapters/inbox/inbox-mailer.ts';
import { findMailServerProblem, smtpMailer } from '#server/platform/adapters/smtp/smtp-mailer.ts';
import { openDatabase, openPool } from '#server/platform/database.ts';
import type { Email, Mailer } from '#server/platform/ports/mailer.ts';
import { createTestDatabase } from '../support/test-database.ts';

const FROM = 'Handstamp <tickets@handstamp.example>';
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

interface Arrived {
  /** Envelope recipients, which decide where an email really goes. */
  recipients: string[];
  raw: Buffer;
}

interface Side {
  mailer: Mailer;
  /** Emails for an address, oldest first. */
  arrived(to: string): Promise<Arrived[]>;
  end(): Promise<void>;
}

const emailWith = (fields: Partial<Email>): Email => ({
  messageId: `${crypto.randomUUID()}@handstamp.example`,
  to: 'sam@example.com',
  subject: 'Basement Brass: your ticket',
  text: 'Confirmation number: 4829103756\n',
  html: '<p>Confirmation number: 4829103756</p><img src="cid:qr@handstamp">',
  attachments: [{ fileName: 'ticket.png', contentType: 'image/png', content: PIXEL, contentId: 'qr@handstamp' }],
  ...fields,
});

describe.each([
  ['mail server', mailServerSide],
  ['inbox', inboxSide],
])('a mailer: %s', (_name, open) => {
  let side: Side;
  beforeAll(async () => {
    side = await open();
  });
  afterAll(() => side.end());

  async function sendAndRead(
    fields: Partial<Email>,
  ): Promise<{ email: ParsedEmail; recipients: string[]; raw: string }> {
    const to = fields.to ?? `${crypto.randomUUID()}@example.com`;
    await side.mailer.send(emailWith({ to, ...fields }));
    const newest = (await side.arrived(to)).at(-1);
    if (!newest) throw new Error(`nothing arrived for ${to}`);
    const email = await PostalMime.parse(newest.raw);
    return { email, recipients: newest.recipients, raw: newest.raw.toString('latin1') };
  }

  it('delivers both bodies, the sender and the inline image', async () => {
    const { email } = await sendAndRead({ to: 'sam@example.com', messageId: 'row-1@handstamp.example' });

    expect(email.from).toMatchObject({ name: 'Handstamp', address: 'tickets@handstamp.example' });
    expect(email.to).toMatchObject([{ address: 'sam@example.com' }]);
    expect(email.subject).toBe('Basement Brass: your ticket');
    expect(email.messageId).toBe('<row-1@handstamp.example>');
    expect(email.text?.trim()).toBe('Confirmation number: 4829103756');
    expect(email.html).toContain('src="cid:qr@handstamp"');
    expect(email.attachments).toMatchObject([
      { contentId: '<qr@handstamp>', mimeType: 'image/png', disposition: 'inline', related: true },
    ]);
    expect(Buffer.from(email.attachments[0]?.content as ArrayBuffer)).toEqual(PIXEL);
  });

  it('shows the given name with our address, and answers go where the email says', async () => {
    const { email } = await sendAndRead({ fromName: 'Søn, "Bass" via Handstamp', replyTo: 'sofia@example.com' });

    expect(email.from).toMatchObject({ name: 'Søn, "Bass" via Handstamp', address: 'tickets@handstamp.example' });
    expect(email.replyTo).toMatchObject([{ address: 'sofia@example.com' }]);
  });

  it('does not let a sender or an address for answers inject a header', async () => {
    const { email, recipients } = await sendAndRead({
      to: 'sam@example.com',
      fromName: 'Nights\r\nBcc: thief@example.com',
      replyTo: 'sofia@example.com\r\nBcc: thief@example.com',
    });

    expect(email.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(email.from).toMatchObject({ address: 'tickets@handstamp.example' });
    expect(recipients).toEqual(['sam@example.com']);
  });

  it('preserves letters of every language', async () => {
    const { email } = await sendAndRead({ subject: 'Café Noir & Søn 🎺: your ticket', text: 'naïve — ☃' });

    expect(email.subject).toBe('Café Noir & Søn 🎺: your ticket');
    expect(email.text?.trim()).toBe('naïve — ☃');
  });

  it('does not let a title inject a header', async () => {
    const { email, recipients } = await sendAndRead({
      to: 'sam@example.com',
      subject: 'Brass\r\nBcc: thief@example.com\r\nX-Evil: yes\r\n\r\nA body',
      attachments: [
        { fileName: 'a.png"\r\nX-Evil: yes', contentType: 'image/png', content: PIXEL, contentId: 'a@handstamp' },
      ],
    });

    expect(email.subject).toBe('Brass Bcc: thief@example.com X-Evil: yes A body');
    expect(email.headers.map(({ key }) => key)).not.toEqual(expect.arrayContaining(['bcc']));
    expect(email.headers.map(({ key }) => key)).not.toEqual(expect.arrayContaining(['x-evil']));
    expect(recipients).toEqual(['sam@example.com']);
  });

  it.each([
    'sam@example.com, thief@example.com',
    'sam@example.com>, <thief@example.com',
    'sam@example.com\r\nRCPT TO:<thief@example.com>',
    'sam@example.com\r\nBcc: thief@example.com',
  ])('does not send to a second address hidden in the first: %j', async (to) => {
    const before = (await side.arrived('thief@example.com')).length;
    await side.mailer.send(emailWith({ to })).catch(() => {});

    const stolen = (await side.arrived('thief@example.com')).slice(before);
    expect(stolen).toEqual([]);
  });

  it('sends the same message id on a retry', async () => {
    const again = emailWith({ to: 'twice@example.com' });
    await side.mailer.send(again);
    await side.mailer.send(again);

    const emails = await Promise.all((await side.arrived('twice@example.com')).map(({ raw }) => PostalMime.parse(raw)));
    expect(new Set(emails.map(({ messageId }) => messageId))).toEqual(new Set([`<${again.messageId}>`]));
  });
});

it('shows an email sent twice once in the inbox', async () => {
  const side = await inboxSide();
  const again = emailWith({ to: 'once@example.com' });
  await Promise.all([side.mailer.send(again), side.mailer.send(again), side.mailer.send(again)]);

  expect(await side.arrived('ONCE@example.com')).toHaveLength(1);
  await side.end();
});

it('throws when the mail server refuses or is unreachable, so that the email is retried', async () => {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, _session, done) => (
      stream.resume(), stream.on('end', () => done(Object.assign(new Error('later'), { responseCode: 451 })))
    ),
  });
  const port = await listen(server);
  const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, allowsPlainText: true, from: FROM });

  await expect(mailer.send(emailWith({}))).rejects.toThrow(/later/);
  mailer.close();
  await new Promise<void>((done) => server.close(() => done()));
  const unreachable = smtpMailer({ url: `smtp://127.0.0.1:${port}`, allowsPlainText: true, from: FROM });
  await expect(unreachable.send(emailWith({}))).rejects.toThrow(/ECONNREFUSED/);
  unreachable.close();
});

describe('encryption to the mail server', () => {
  const servers: SMTPServer[] = [];
  afterAll(async () => {
    for (const server of servers) await new Promise<void>((done) => server.close(() => done()));
  });

  /** Records whether each email came over TLS. */
  async function open(options: ConstructorParameters<typeof SMTPServer>[0] = {}) {
    const arrived: boolean[] = [];
    const server = new SMTPServer({
      authOptional: true,
      ...options,
      onData: (stream, { secure }, done) => (stream.resume(), stream.on('end', () => (arrived.push(secure), done()))),
    });
    server.on('error', () => {});
    servers.push(server);
    return { arrived, port: await listen(server) };
  }

  it.each(['', '?requireTLS=false', '?ignoreTLS=true', '?opportunisticTLS=true'])(
    'sends nothing in plain text, whatever the address asks for: %j [EMAIL-8]',
    async (query) => {
      const { arrived, port } = await open({ disabledCommands: ['STARTTLS'] });
      const server = { url: `smtp://127.0.0.1:${port}${query}`, allowsPlainText: false };
      const mailer = smtpMailer({ ...server, from: FROM });

      await expect(mailer.send(emailWith({}))).rejects.toThrow(/STARTTLS/);
      mailer.close();
      expect(arrived).toEqual([]);
      expect(await findMailServerProblem(server)).toMatchObject({ kind: 'no-tls' });
    },
  );

  it('encrypts where the server offers it, and sends plain text only when that is allowed [EMAIL-8]', async () => {
    const [withTls, without] = [await open(), await open({ disabledCommands: ['STARTTLS'] })];
    // The test server's certificate is for another name.
    const url = `smtp://127.0.0.1:${withTls.port}?tls.rejectUnauthorized=false`;
    const plain = { url: `smtp://127.0.0.1:${without.port}`, allowsPlainText: true };

    for (const server of [{ url, allowsPlainText: false }, plain]) {
      expect(await findMailServerProblem(server)).toBeNull();
      const mailer = smtpMailer({ ...server, from: FROM });
      await mailer.send(emailWith({}));
      mailer.close();
    }
    expect([withTls.arrived, without.arrived]).toEqual([[true], [false]]);
  });

  it('takes neither a false certificate nor a server that is down for one without TLS [EMAIL-8]', async () => {
    const { port } = await open();
    const server = { url: `smtp://127.0.0.1:${port}`, allowsPlainText: false };
    expect(await findMailServerProblem(server)).toMatchObject({ kind: 'unreachable' });
    const mailer = smtpMailer({ ...server, from: FROM });
    await expect(mailer.send(emailWith({}))).rejects.toThrow(/certificate/);
    mailer.close();

    const down = { url: 'smtp://127.0.0.1:1', allowsPlainText: false };
    expect(await findMailServerProblem(down)).toMatchObject({ kind: 'unreachable' });
  });
});

async function mailServerSide(): Promise<Side> {
  const received: Arrived[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          recipients: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks),
        });
        done();
      });
    },
  });
  const mailer = smtpMailer({ url: `smtp://127.0.0.1:${await listen(server)}`, allowsPlainText: true, from: FROM });
  return {
    mailer,
    arrived: async (to) => received.filter(({ recipients }) => recipients.includes(to)),
    async end() {
      mailer.close();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

async function inboxSide(): Promise<Side> {
  const database = await createTestDatabase();
  const pool = openPool(database.connectionString, () => {});
  const db = openDatabase(pool);
  return {
    mailer: inboxMailer({ db, clock: { now: () => new Date() }, from: FROM }),
    async arrived(to) {
      const rows = await messagesOf(db, to, 100);
      return rows.reverse().map(({ raw }) => ({ recipients: [to], raw }));
    },
    async end() {
      await db.destroy();
      await database.drop();
    },
  };
}

async function listen(server: SMTPServer): Promise<number> {
  const socket = server.listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const address = socket.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}
