import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { listStates } from '#contract/app/check-in-devices.ts';
import { HASH_BITS_MAX } from '#domain/offline-list.ts';
import { cpuTimeMs, cpuTimeOf } from '#tests/support/cpu-time.ts';
import { packTicket } from '#tests/support/fake-check-in-server.ts';
import { hashNumber } from './hash-number.ts';
import { decodeBase64, OfflineTicketList } from './offline-ticket-list.ts';

const LIST = { salt: 'c0ffee', bits: 20 };

function ticket(key: string, { hash = 7, type = 0, state = 0 } = {}): Uint8Array {
  const bytes = Buffer.alloc(12);
  Buffer.from(key.padStart(12, '0'), 'hex').copy(bytes);
  bytes.writeUInt32BE(hash, 6);
  bytes[10] = type;
  bytes[11] = state;
  return bytes;
}

describe('OfflineTicketList', () => {
  it('finds a ticket by its number, with its type and state', async () => {
    const bytes = packTicket('1234567890', { key: randomBytes(6), state: 'refunding' }, LIST.bits);
    bytes[10] = 3;
    const list = new OfflineTicketList(decodeBase64(bytes.toString('base64')));

    expect(list.findByHash(await hashNumber('1234567890', LIST))).toMatchObject([
      { ticketType: 3, state: 'refunding' },
    ]);
    expect(list.findByHash(await hashNumber('1234567891', LIST))).toEqual([]);
  });

  it('tells tickets that share a hash apart by key', () => {
    const list = new OfflineTicketList(
      Buffer.concat([ticket('a1'), ticket('ffffffffffff', { state: 1 }), ticket('a3')]),
    );

    expect(list.findByHash(7).map(({ key, state }) => [key, state])).toEqual([
      [0xa3, 'valid'],
      [0xffffffffffff, 'scanned'],
      [0xa1, 'valid'],
    ]);
  });

  it('applies changes in any order and more than once', () => {
    const list = new OfflineTicketList(Buffer.concat([ticket('a1'), ticket('a2', { hash: 8 })]));
    const changes = Buffer.concat([ticket('a2', { hash: 8, state: 1 }), ticket('a9', { hash: 9, type: 1 })]);
    list.apply(changes);
    list.apply(changes);

    expect(list.size).toBe(3);
    expect(list.findByHash(8)).toEqual([{ key: 0xa2, ticketType: 0, state: 'scanned' }]);
    expect(list.findByHash(9)).toEqual([{ key: 0xa9, ticketType: 1, state: 'valid' }]);
    expect(list.findByKey(0xa9)).toMatchObject({ ticketType: 1, state: 'valid' });
  });

  it('survives a round trip through bytes', () => {
    const list = new OfflineTicketList(Buffer.concat([ticket('a1'), ticket('a2', { hash: 8 })]));
    list.apply(ticket('a3', { hash: 8, state: 3 }));
    const restored = new OfflineTicketList(list.toBytes());

    expect(restored.size).toBe(3);
    expect(restored.findByHash(8)).toEqual(list.findByHash(8));
  });

  it('treats an unknown state as void', () => {
    expect(new OfflineTicketList(ticket('a1', { state: listStates.length })).findByHash(7)).toMatchObject([
      { state: 'void' },
    ]);
  });

  it('reads 100,000 tickets and looks up 10,000 in under a second each', () => {
    const bytes = Buffer.concat(
      Array.from({ length: 100_000 }, (_, at) => ticket(at.toString(16), { hash: (at * 7919) % 2 ** HASH_BITS_MAX })),
    ).toString('base64');
    const startedAt = cpuTimeMs();
    const list = new OfflineTicketList(decodeBase64(bytes));
    const readMs = cpuTimeMs() - startedAt;
    const lookupMs = cpuTimeOf(() => {
      for (let lookup = 0; lookup < 10_000; lookup++) list.findByHash(lookup * 7919);
    });

    // Takes about 40 ms on a desktop; the limit only catches quadratic growth.
    expect(readMs).toBeLessThan(1000);
    expect(lookupMs).toBeLessThan(1000);
    expect(list.size).toBe(100_000);
  });
});
