import type { IncomingHttpHeaders } from 'node:http';

const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

interface Origin {
  remoteAddress: string | undefined;
  headers: IncomingHttpHeaders;
}

/** Whether the request comes directly from this machine. Excludes requests through a local proxy and DNS rebinding. */
export function isDirectLoopback({ remoteAddress = '', headers }: Origin, publicUrl: string): boolean {
  const isLoopback = remoteAddress === '::1' || /^(?:::ffff:)?127\./.test(remoteAddress);
  const isForwarded = FORWARDING.some((name) => headers[name] !== undefined);
  return isLoopback && !isForwarded && isLocalHost(headers.host ?? '', publicUrl);
}

function isLocalHost(host: string, publicUrl: string): boolean {
  const url = `http://${host}`;
  const hostname = URL.canParse(url) ? new URL(url).hostname : '';
  return ['localhost', '127.0.0.1', '[::1]', new URL(publicUrl).hostname].includes(hostname);
}
