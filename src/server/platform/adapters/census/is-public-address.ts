import { BlockList, isIP } from 'node:net';

/** What is not the public internet: this machine, its neighbours, clouds' own services, and what stands for such an address. */
const hidden = new BlockList();
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
for (const [network, bits] of IPV4) hidden.addSubnet(network, bits, 'ipv4');

/** The addresses that are given out begin with 001; of these, two networks carry an IPv4 address within. */
const given = new BlockList();
given.addSubnet('2000::', 3, 'ipv6');
hidden.addSubnet('2001::', 32, 'ipv6');
hidden.addSubnet('2002::', 16, 'ipv6');

export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !hidden.check(address, 'ipv4');
  return version === 6 && given.check(address, 'ipv6') && !hidden.check(address, 'ipv6');
}
