/** Serves security.txt (RFC 9116), which tells researchers where to report vulnerabilities. */
import type { FastifyInstance } from 'fastify';

interface SecurityTxt {
  publicUrl: string;
  /** The sender of the product's emails, a mailbox that the operator reads. */
  mailFrom: string;
}

const PATH = '/.well-known/security.txt';
const VALID_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

export async function securityTxt(app: FastifyInstance, { publicUrl, mailFrom }: SecurityTxt): Promise<void> {
  const mailbox = /<([^<>]+)>/.exec(mailFrom)?.[1] ?? mailFrom.trim();

  app.get(PATH, async (_request, reply) => {
    const expires = new Date(Math.floor(Date.now() / DAY_MS + VALID_DAYS) * DAY_MS);
    const lines = [
      `Contact: mailto:${mailbox}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${publicUrl}${PATH}`,
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}
