/** The inbox as pages and JSON. Restricted to this machine, because emails contain links that give access to accounts. */
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isDirectLoopback } from '#server/platform/http/direct-loopback.ts';
import { isUuid } from '#server/platform/ids.ts';
import { emailHtml, listPage, messagePage } from './inbox.pages.ts';
import { messageById, messagesOf } from './inbox.sql.ts';
import { readMessage } from './read-message.ts';

const PAGE_SIZE = 50;

/** An email's HTML is untrusted: it may have styles and images, but no scripts. */
const EMAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
const PART_POLICY = "default-src 'none'; sandbox";
const IMAGES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

type InboxOptions = Pick<Deps, 'db'> & { isOpen: boolean };

export async function inboxRoutes(app: FastifyInstance, { db, isOpen }: InboxOptions): Promise<void> {
  const stylesheet = await readFile(new URL('inbox.css', import.meta.url));

  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const { remoteAddress } = request.socket;
      if (!isOpen && !isDirectLoopback({ remoteAddress, headers: request.headers }))
        throw new AppError('page.not-found');
      reply.header('cache-control', 'no-store');
    });

    scope.get('/sandbox/inbox', async (request, reply) => {
      const to = addressFilter(request);
      const messages = await readMessages(to);
      return sendPage(reply, listPage(messages, to ?? ''));
    });

    scope.get('/sandbox/inbox.json', async (request) => {
      const messages = await readMessages(addressFilter(request));
      return messages.map(({ id, to, from, subject, text, html, at }) => ({ id, to, from, subject, text, html, at }));
    });

    scope.get('/sandbox/inbox.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(stylesheet));

    scope.get('/sandbox/inbox/:id', async (request, reply) => {
      const [, id, asFile] = /^(.*?)(\.eml)?$/.exec(field(request, 'id')) ?? [];
      const row = await storedMessage(id ?? '');
      if (!asFile) return sendPage(reply, messagePage(await readMessage(row)));
      return sendFile(reply, `${row.id}.eml`, 'message/rfc822', row.raw);
    });

    scope.get('/sandbox/inbox/:id/html', async (request, reply) => {
      const message = await readMessage(await storedMessage(field(request, 'id')));
      reply.headers({ 'content-security-policy': EMAIL_POLICY, 'x-frame-options': 'SAMEORIGIN' });
      return sendPage(reply, emailHtml(message));
    });

    scope.get('/sandbox/inbox/:id/parts/:index', async (request, reply) => {
      const { parts } = await readMessage(await storedMessage(field(request, 'id')));
      const part = parts[Number(field(request, 'index'))];
      if (!part) throw new AppError('page.not-found');
      reply.header('content-security-policy', PART_POLICY);
      if (IMAGES.has(part.contentType)) return reply.type(part.contentType).send(part.content);
      return sendFile(reply, part.fileName, 'application/octet-stream', part.content);
    });
  });

  async function readMessages(to: string | undefined) {
    return Promise.all((await messagesOf(db, to, PAGE_SIZE)).map(readMessage));
  }

  async function storedMessage(id: string) {
    const row = isUuid(id) ? await messageById(db, id) : undefined;
    if (!row) throw new AppError('page.not-found');
    return row;
  }
}

function addressFilter(request: FastifyRequest): string | undefined {
  // A literal plus sign in a query string decodes to a space, which no address contains.
  return field(request, 'to', request.query).trim().replaceAll(' ', '+') || undefined;
}

function field(request: FastifyRequest, name: string, from: unknown = request.params): string {
  const value: unknown =
    typeof from === 'object' && from !== null ? Object.entries(from).find(([key]) => key === name)?.[1] : '';
  return typeof value === 'string' ? value : '';
}

function sendPage(reply: FastifyReply, html: string) {
  return reply.type('text/html; charset=utf-8').send(html);
}

function sendFile(reply: FastifyReply, fileName: string, contentType: string, content: Buffer) {
  const safeName = fileName.replace(/[^\w.-]/g, '_');
  return reply.header('content-disposition', `attachment; filename="${safeName}"`).type(contentType).send(content);
}
