/** Where a person who has found a hole tells it (RFC 9116). */
import type { FastifyInstance } from 'fastify';

interface SecurityTxt {
  publicUrl: string;
  /** Whom the product's mail comes from: a mailbox that its operator reads. */
  mailFrom: string;
}

const PATH = '/.well-known/security.txt';
const GOOD_FOR_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

export async function securityTxt(app: FastifyInstance, { publicUrl, mailFrom }: SecurityTxt): Promise<void> {
  const mailbox = /<([^<>]+)>/.exec(mailFrom)?.[1] ?? mailFrom.trim();

  app.get(PATH, async (_request, reply) => {
    const expires = new Date(Math.floor(Date.now() / DAY_MS + GOOD_FOR_DAYS) * DAY_MS);
    const lines = [
      `Contact: mailto:${mailbox}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${publicUrl}${PATH}`,
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}
