/**
 * Which addresses may be called: those of the internet, over https. An organizer must not reach what only our server can: its own
 * services, its network, and the metadata of its machine.
 */
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<ResolvedAddress[]>;

const DNS_TIMEOUT_MS = 2_000;

/**
 * Asks the name servers itself. `dns.lookup` occupies one of Node's few threads for as long as a server is silent, and every other
 * connection of the process waits behind it.
 * @param servers by default those of the machine
 */
export const resolverOf =
  (servers: readonly string[] | null = null, timeout = DNS_TIMEOUT_MS): Resolve =>
  async (name) => {
    if (name === 'localhost') return [{ address: '127.0.0.1', family: 4 }];
    const resolver = new Resolver({ timeout, tries: 1 });
    if (servers) resolver.setServers(servers);
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [...found(v4, 4), ...found(v6, 6)];
  };

const found = (answer: PromiseSettledResult<string[]>, family: number): ResolvedAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];

const PORTS = new Set(['', '443', '8443']);
/** What is assigned to hosts on the internet. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** The URL, or null if it can't be called whatever its name resolves to. */
export function readWebhookUrl(text: string, { allowsLoopback }: { allowsLoopback: boolean }): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || url.username !== '' || url.password !== '') return null;
  if (url.protocol === 'https:' && PORTS.has(url.port)) return url;
  return allowsLoopback && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}

/** Without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

export function isOnInternet(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv6 ? parsed.match(GLOBAL_IPV6) : true;
}

const isLoopback = (address: string) => ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback';

/** The addresses of a host, or null if one of them must not be called. */
export async function allowedAddresses(
  host: string,
  { resolve, allowsLoopback }: { resolve: Resolve; allowsLoopback: boolean },
): Promise<ResolvedAddress[] | null> {
  const family = isIP(host);
  const found = family === 0 ? await resolve(host) : [{ address: host, family }];
  const isAllowed = ({ address }: ResolvedAddress) => isOnInternet(address) || (allowsLoopback && isLoopback(address));
  return found.length > 0 && found.every(isAllowed) ? found : null;
}
