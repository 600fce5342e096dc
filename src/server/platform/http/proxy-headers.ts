/**
 * Compares the forwarding headers of requests with TRUST_PROXY. Where they disagree, rate limits count the proxy instead of its
 * callers, or an address that a caller made up.
 */
import type { IncomingMessage, Server } from 'node:http';
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

  server.on('request', ({ url = '', rawHeaders }: IncomingMessage) => {
    if (PAST_PROXIES.test(url)) return;
    count.requests += 1;
    if (!contradicts(rawHeaders, trustedProxies)) return;
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

/**
 * Each trusted proxy adds one address to X-Forwarded-For. The object of all headers isn't read: cached pages don't need it, and
 * building it would slow them by a tenth.
 */
export function contradicts(rawHeaders: readonly string[], trustedProxies: number): boolean {
  let hops = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (isNamed(name, 'x-forwarded-for')) hops += addressesIn(rawHeaders[index + 1] ?? '');
    else if (trustedProxies === 0 && (isNamed(name, 'forwarded') || isNamed(name, 'x-real-ip'))) return true;
  }
  return hops !== trustedProxies;
}

const isNamed = (name: string, wanted: string) => name.length === wanted.length && name.toLowerCase() === wanted;

const addressesIn = (list: string) => list.split(',').filter((address) => address.trim() !== '').length;

/** What the last two days say about TRUST_PROXY; null if nothing contradicts it. */
export async function findProxyProblem(db: Db, trustedProxies: number): Promise<string | null> {
  const { requests, contradicting } = await proxyHeaderCount(db, trustedProxies);
  if (contradicting === 0 || contradicting < requests * SHARE_REPORTED) return null;
  const expected =
    trustedProxies === 0 ? 'no forwarding header' : `${trustedProxies} in X-Forwarded-For, one for each proxy`;
  return `${contradicting} of ${requests} requests contradict TRUST_PROXY, which is ${trustedProxies} and expects ${expected}. Set it to the number of proxies in front, and let them set the header.`;
}
