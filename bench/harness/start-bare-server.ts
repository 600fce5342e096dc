import { type Part, startPart } from './children.ts';

export interface BareAnswer {
  status: number;
  headers: Record<string, string>;
  /** In base64. */
  body: string;
}

/** Node writes these itself, in either server. */
const OF_NODE = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
/** Differs with each request, so a constant cannot have it. */
const OF_ONE_REQUEST = new Set(['x-request-id']);

/**
 * Asks the product once and serves the very bytes and headers it answered, security headers included, from a bare server.
 *
 * @param asked headers to ask with
 * @returns its origin in `ready`
 */
export async function startBareServer(url: string, asked: Record<string, string> = {}): Promise<Part<string>> {
  const reply = await fetch(url, { headers: { 'accept-encoding': 'identity', ...asked } });
  const headers = [...reply.headers].filter(([name]) => !OF_NODE.has(name) && !OF_ONE_REQUEST.has(name));
  const body = Buffer.from(await reply.arrayBuffer());
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${body.toString()}`);
  const answer: BareAnswer = {
    status: reply.status,
    headers: { ...Object.fromEntries(headers), 'content-length': String(body.length) },
    body: body.toString('base64'),
  };
  return startPart<string>('bare-server.ts', answer);
}
