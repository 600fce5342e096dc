/** A request whose URL and body are sent exactly as given. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import * as z from 'zod/mini';
import { checkInDetails } from '#contract/app/check-in.ts';
import { eventChanged } from '#contract/app/events.ts';
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

/** Checks the form of a rejection: JSON with a message, at check-in also a result, and nothing of the input. */
export function flawsOf({ status, headers, text }: RawAnswer, sent: RegExp): string[] {
  if (status >= 500) return [`is answered ${status}`];
  if (headers['x-injected'] !== undefined) return ['writes a header'];
  if (status < 400) return [];
  const flaws = [];
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) flaws.push('is not answered in JSON');
  if (!isMessage(text)) flaws.push(`is answered ${text.slice(0, 100)}`);
  if (sent.test(text)) flaws.push(`comes back in ${text.slice(0, 200)}`);
  return flaws;
}

/** What a rejection may contain besides its message. */
const knownProps = z.union([
  z.strictObject(checkInDetails.shape),
  z.strictObject({ code: z.literal(eventChanged.code) }),
]);

function isMessage(text: string): boolean {
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null || !('msg' in answer)) return false;
  const { msg, ...props } = answer;
  const isKnown = Object.keys(props).length === 0 || knownProps.safeParse(props).success;
  return isKnown && typeof msg === 'string' && /^[\p{L}\d].* .{1,250}$/u.test(msg);
}
