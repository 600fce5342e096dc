import { BlockList, isIP } from 'node:net';

/** Not the public internet: loopback, private networks, cloud metadata services, and prefixes that embed such addresses. */
const blocked = new BlockList();
const IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const;
for (const [network, bits] of IPV4) blocked.addSubnet(network, bits, 'ipv4');

/** Global unicast addresses start with the bits 001. Two of their prefixes embed IPv4 addresses and are blocked. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
blocked.addSubnet('2001::', 32, 'ipv6');
blocked.addSubnet('2002::', 16, 'ipv6');

export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !blocked.check(address, 'ipv4');
  return version === 6 && globalUnicast.check(address, 'ipv6') && !blocked.check(address, 'ipv6');
}
