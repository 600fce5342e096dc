/** The network that a client belongs to: one household or office, whichever of its addresses it uses. */
import { isIPv4, isIPv6 } from 'node:net';
import { type AppSecret, deriveKey, keyedHash } from './secrets.ts';

/** Null: no limit. */
export interface NetworkLimits {
  /** Of one network in one event. */
  unpaidTickets: number | null;
  /** Of one network in one event. */
  waitingRoomPasses: number | null;
  /** Of one browser. */
  openCheckouts: number | null;
}

const LOOPBACK = /^(127\.|::1$)/;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The /24 of an IPv4 address or the /48 of an IPv6 address, which an access provider assigns to one customer; `null` for this machine.
 */
export function clientNetwork(address: string): string | null {
  const plain = withoutMapping(address);
  if (LOOPBACK.test(plain)) return null;
  if (isIPv4(plain)) return `${plain.slice(0, plain.lastIndexOf('.'))}.0/24`;
  return isIPv6(plain) ? ipv6Network(plain, 48) : plain;
}

/** Six bytes of the hash: enough to tell networks apart, and an exact number in JavaScript. */
const HEX_DIGITS = 12;

/**
 * A keyed hash of the network and the event; `null` for this machine. There are so few networks that a plain hash could be reversed,
 * and the event in it keeps visits to two events from being linked.
 */
export function networkHash(appSecret: AppSecret, eventId: string, address: string): number | null {
  const network = clientNetwork(address);
  if (network === null) return null;
  const hash = keyedHash(deriveKey(appSecret, 'networks'), `${eventId} ${network}`, 'hex');
  return Number.parseInt(hash.slice(0, HEX_DIGITS), 16);
}

/** IPv4 addresses reach a dual-stack socket as IPv6: `::ffff:192.0.2.1`. */
export const withoutMapping = (address: string): string => MAPPED.exec(address)?.[1] ?? address;

/** The network of an IPv6 address, `bits` long: a multiple of 16. */
export function ipv6Network(address: string, bits: number): string {
  const [withoutZone = ''] = address.split('%');
  const [head = '', tail = ''] = withoutZone.split('::');
  const before = head ? head.split(':') : [];
  const after = tail ? tail.split(':') : [];
  const groups = [...before, ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
  const prefix = groups.slice(0, bits / 16).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(':')}::/${bits}`;
}
