/**
 * Apple's push service, over HTTP/2. A push for a pass says nothing: the phone then asks us what has changed. One connection serves
 * all phones of a call, because Apple takes many short ones for an attack.
 */
import { type ClientHttp2Session, connect } from 'node:http2';
import { z } from 'zod';
import type { WalletAnswer } from '#server/platform/ports/wallets.ts';

export interface PushService {
  origin: string;
  /** Of a stand-in; null: the certificates that Node trusts. */
  ca: string | null;
  timeoutMs: number;
}

export const APNS: PushService = { origin: 'https://api.push.apple.com', ca: null, timeoutMs: 10_000 };

const IN_PROGRESS_MAX = 50;
const REASON_LENGTH_MAX = 4096;

/** The phone no longer has our passes, or the token is another service's. */
const GONE = new Set(['BadDeviceToken', 'DeviceTokenNotForTopic', 'Unregistered', 'ExpiredToken']);

const denialSchema = z.object({ reason: z.string() });

interface Push {
  topic: string;
  key: string;
  cert: string;
  pushTokens: readonly string[];
}

/** Returns those that answered; never rejects for the others. Rejects if the service can't be reached. */
export async function notifyPhones(
  { origin, ca, timeoutMs }: PushService,
  { topic, key, cert, pushTokens }: Push,
): Promise<Map<string, WalletAnswer>> {
  const answers = new Map<string, WalletAnswer>();
  if (pushTokens.length === 0) return answers;
  const session = await open(origin, { key, cert, ...(ca !== null && { ca }) }, timeoutMs);
  try {
    const remaining = new Set(pushTokens).values();
    const worker = async () => {
      for (const token of remaining) {
        const answer = await push(session, { token, topic, timeoutMs }).catch(() => null);
        if (answer) answers.set(token, answer);
        else if (session.destroyed || session.closed) return;
      }
    };
    await Promise.all(Array.from({ length: IN_PROGRESS_MAX }, worker));
  } finally {
    session.destroy();
  }
  return answers;
}

function open(
  origin: string,
  credentials: { key: string; cert: string; ca?: string },
  timeoutMs: number,
): Promise<ClientHttp2Session> {
  return new Promise((resolve, reject) => {
    const session = connect(origin, credentials);
    const timer = setTimeout(() => fail(new Error('the push service does not answer')), timeoutMs);
    const fail = (error: Error) => {
      clearTimeout(timer);
      session.destroy();
      reject(error);
    };
    // Stays after the start: without a listener, a lost connection would crash the process.
    session.on('error', fail);
    session.once('connect', () => {
      clearTimeout(timer);
      resolve(session);
    });
  });
}

/** Null: try again later. */
function push(
  session: ClientHttp2Session,
  { token, topic, timeoutMs }: { token: string; topic: string; timeoutMs: number },
): Promise<WalletAnswer | null> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':method': 'POST', ':path': `/3/device/${token}`, 'apns-topic': topic });
    let status = 0;
    let body = '';
    stream.setEncoding('utf8');
    stream.setTimeout(timeoutMs, () => stream.destroy(new Error('the push service does not answer')));
    stream.on('response', (headers) => {
      status = headers[':status'] ?? 0;
    });
    stream.on('data', (chunk: string) => {
      if (body.length < REASON_LENGTH_MAX) body += chunk;
    });
    stream.on('error', reject);
    stream.on('close', () => resolve(answerOf(status, body)));
    stream.end('{}');
  });
}

function answerOf(status: number, body: string): WalletAnswer | null {
  if (status === 200) return 'updated';
  return status === 410 || GONE.has(reasonOf(body)) ? 'gone' : null;
}

function reasonOf(body: string): string {
  try {
    return denialSchema.parse(JSON.parse(body)).reason;
  } catch {
    return '';
  }
}
