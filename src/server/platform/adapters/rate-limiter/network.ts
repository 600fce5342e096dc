import { isIPv6 } from 'node:net';

/**
 * The network of an IPv6 address: a customer owns a whole /64 and could use a new address for every attempt. Anything else is
 * returned unchanged.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;

  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];

  const [head = '', tail = ''] = withoutZone(address).split('::');
  const before = head ? head.split(':') : [];
  const after = tail ? tail.split(':') : [];
  const groups = [...before, ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
  return `${groups.slice(0, 4).map(withoutLeadingZeros).join(':')}::/64`;
}

const withoutZone = (address: string) => address.split('%')[0] ?? address;
const withoutLeadingZeros = (group: string) => Number.parseInt(group, 16).toString(16);
