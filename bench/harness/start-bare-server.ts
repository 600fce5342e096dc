import { type Part, startPart } from './children.ts';

export interface BareAnswer {
  status: number;
  headers: Record<string, string>;
  /** Base64. */
  body: string;
}

/** Node writes these itself in both servers. */
const NODE_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
/** Differs with each request, so a constant answer can't have it. */
const PER_REQUEST_HEADERS = new Set(['x-request-id']);

/**
 * Fetches a URL of the app once and serves the same bytes and headers, security headers included, from a bare server.
 *
 * @param extraHeaders request headers
 * @returns its origin in `ready`
 */
export async function startBareServer(url: string, extraHeaders: Record<string, string> = {}): Promise<Part<string>> {
  const reply = await fetch(url, { headers: { 'accept-encoding': 'identity', ...extraHeaders } });
  const headers = [...reply.headers].filter(([name]) => !NODE_HEADERS.has(name) && !PER_REQUEST_HEADERS.has(name));
  const body = Buffer.from(await reply.arrayBuffer());
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${body.toString()}`);
  const answer: BareAnswer = {
    status: reply.status,
    headers: { ...Object.fromEntries(headers), 'content-length': String(body.length) },
    body: body.toString('base64'),
  };
  return startPart<string>('bare-server.ts', answer);
}
