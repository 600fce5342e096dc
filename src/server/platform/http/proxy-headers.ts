/**
 * Compares the forwarding headers of requests with TRUST_PROXY. Where they disagree, rate limits count the proxy instead of its
 * callers, or an address that a caller made up.
 */
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import type { Logger } from 'pino';
import type { Db } from '#server/platform/database.ts';
import { addProxyHeaderCount, proxyHeaderCount } from './proxy-headers.sql.ts';

const FLUSH_MS = 60_000;
/** The doctor learns of a contradiction soon, also from a server that has just started. */
const FIRST_FLUSH_MS = 1_000;
/** Any caller can send such a header, so a few say nothing about the proxies. */
const SHARE_REPORTED = 0.1;
/** Asked past the proxies: by load balancers and supervisors, and by the sandbox's webhooks. */
const PAST_PROXIES = /^\/(?:livez|readyz|metrics|api\/webhooks)\b/;

interface Watched {
  db: Db;
  trustedProxies: number;
  log: Logger;
}

/** Counts the requests of this process. */
export function watchProxyHeaders(server: Server, { db, trustedProxies, log }: Watched) {
  let count = { requests: 0, contradicting: 0 };
  let isReported = false;

  const flush = async () => {
    if (count.requests === 0) return;
    const added = count;
    count = { requests: 0, contradicting: 0 };
    await addProxyHeaderCount(db, trustedProxies, added).catch(() => {
      count = { requests: count.requests + added.requests, contradicting: count.contradicting + added.contradicting };
    });
  };
  const timer = setInterval(() => void flush(), FLUSH_MS).unref();

  server.on('request', ({ url = '', headers }: IncomingMessage) => {
    if (PAST_PROXIES.test(url)) return;
    count.requests += 1;
    if (!contradicts(headers, trustedProxies)) return;
    count.contradicting += 1;
    if (isReported) return;
    isReported = true;
    log.warn('a request has forwarding headers that contradict TRUST_PROXY, npm run doctor says how many do');
    setTimeout(() => void flush(), FIRST_FLUSH_MS).unref();
  });

  return {
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Each trusted proxy adds one address to X-Forwarded-For. */
export function contradicts(headers: IncomingHttpHeaders, trustedProxies: number): boolean {
  const forwardedFor = String(headers['x-forwarded-for'] ?? '');
  const hops = forwardedFor.split(',').filter((address) => address.trim() !== '').length;
  if (trustedProxies > 0) return hops !== trustedProxies;
  return hops > 0 || headers.forwarded !== undefined || headers['x-real-ip'] !== undefined;
}

/** What the last two days say about TRUST_PROXY; null if nothing contradicts it. */
export async function findProxyProblem(db: Db, trustedProxies: number): Promise<string | null> {
  const { requests, contradicting } = await proxyHeaderCount(db, trustedProxies);
  if (contradicting === 0 || contradicting < requests * SHARE_REPORTED) return null;
  const expected =
    trustedProxies === 0 ? 'no forwarding header' : `${trustedProxies} in X-Forwarded-For, one for each proxy`;
  return `${contradicting} of ${requests} requests contradict TRUST_PROXY, which is ${trustedProxies} and expects ${expected}. Set it to the number of proxies in front, and let them set the header.`;
}
