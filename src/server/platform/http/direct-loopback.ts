import type { IncomingHttpHeaders } from 'node:http';

/** What proxies add to a request they forward. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
];

interface Origin {
  remoteAddress: string | undefined;
  headers: IncomingHttpHeaders;
}

/**
 * Whether the request comes directly from this machine, by a name that only this machine has. The public host name is none: a
 * proxy on this machine that adds no header forwards it for everyone, and a rebound DNS name is one, too.
 */
export function isDirectLoopback({ remoteAddress = '', headers }: Origin): boolean {
  const isLoopback = remoteAddress === '::1' || /^(?:::ffff:)?127\./.test(remoteAddress);
  const isForwarded = FORWARDING.some((name) => headers[name] !== undefined);
  return isLoopback && !isForwarded && isLoopbackName(headers.host ?? '');
}

function isLoopbackName(host: string): boolean {
  const url = `http://${host}`;
  const hostname = URL.canParse(url) ? new URL(url).hostname : '';
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
