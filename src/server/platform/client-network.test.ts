import { describe, expect, it } from 'vitest';
import { clientNetwork, networkHash } from './client-network.ts';

describe('the network of a client', () => {
  it.each([
    ['203.0.113.9', '203.0.113.0/24'],
    ['::ffff:203.0.113.200', '203.0.113.0/24'],
    ['2001:db8:7:8:9::1', '2001:db8:7::/48'],
    ['2001:0db8::1', '2001:db8:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
  ])('of %s is %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });

  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('is none for this machine: %s', (address) => {
    expect(clientNetwork(address)).toBeNull();
    expect(networkHash(['secret'], 'event', address)).toBeNull();
  });
});

describe('the hash of a network', () => {
  it('is the same for its addresses, and differs by event and by secret', () => {
    const hash = networkHash(['secret'], 'event', '203.0.113.9');

    expect(Number.isSafeInteger(hash)).toBe(true);
    expect(networkHash(['secret'], 'event', '203.0.113.10')).toBe(hash);
    expect(networkHash(['secret'], 'event', '203.0.114.9')).not.toBe(hash);
    expect(networkHash(['secret'], 'other', '203.0.113.9')).not.toBe(hash);
    expect(networkHash(['other'], 'event', '203.0.113.9')).not.toBe(hash);
  });
});
