import type { IncomingHttpHeaders } from 'node:http';

const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

interface Arrival {
  remoteAddress: string | undefined;
  headers: IncomingHttpHeaders;
}

/** Someone at this machine who asked for this machine: not a guest of a proxy here, nor a page whose name points here. */
export function isDirectLoopback({ remoteAddress = '', headers }: Arrival, publicUrl: string): boolean {
  const isFromHere = remoteAddress === '::1' || /^(?:::ffff:)?127\./.test(remoteAddress);
  const isForwarded = FORWARDING.some((name) => headers[name] !== undefined);
  return isFromHere && !isForwarded && namesHere(headers.host ?? '', publicUrl);
}

function namesHere(host: string, publicUrl: string): boolean {
  const address = `http://${host}`;
  const name = URL.canParse(address) ? new URL(address).hostname : '';
  return ['localhost', '127.0.0.1', '[::1]', new URL(publicUrl).hostname].includes(name);
}
