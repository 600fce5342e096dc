/** A request whose URL and body are sent exactly as given. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import * as z from 'zod/mini';
import { errorTexts } from '#messages/errors.ts';
import type { Visitor } from './http-visitor.ts';

export interface RawRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The visitor whose cookies are sent. */
  by?: Visitor;
}

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const agent = new Agent({ keepAlive: true });

export function rawRequest(origin: string, { method, path, headers = {}, body, by }: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const cookie = [...(by?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const sending = request({
      hostname,
      port,
      method,
      path,
      agent,
      headers: { ...headers, ...(cookie && { cookie }) },
    });
    sending.on('response', (answer) => {
      isAnswered = true;
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(pieces).toString() }),
      );
    });
    // A server may reject a body without reading all of it.
    sending.on('error', (error) => isAnswered || reject(error));
    if (body !== undefined) sending.setHeader('content-length', Buffer.byteLength(body));
    sending.end(body);
  });
}

/** Checks the form of a rejection: JSON with a code and a message, and nothing of the input. */
export function flawsOf({ status, headers, text }: RawAnswer, sent: RegExp): string[] {
  if (status >= 500) return [`is answered ${status}`];
  if (headers['x-injected'] !== undefined) return ['writes a header'];
  if (status < 400) return [];
  const flaws = [];
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) flaws.push('is not answered in JSON');
  if (!isError(text)) flaws.push(`is answered ${text.slice(0, 100)}`);
  if (sent.test(text)) flaws.push(`comes back in ${text.slice(0, 200)}`);
  return flaws;
}

const rejection = z.strictObject({ code: z.string(), params: z.record(z.string(), z.unknown()), msg: z.string() });

/** A known code, its parameters, and a sentence. */
function isError(text: string): boolean {
  const { data } = rejection.safeParse(JSON.parse(text));
  return data !== undefined && data.code in errorTexts && /^[\p{L}\d].* .{1,250}$/u.test(data.msg);
}
