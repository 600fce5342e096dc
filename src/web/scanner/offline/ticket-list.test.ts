import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { listStates } from '#contract/door.ts';
import { HASH_BITS_MAX } from '#domain/offline-list.ts';
import { cpuTimeMs, cpuTimeOf } from '#tests/support/cpu-time.ts';
import { packed } from '#tests/support/door-stand-in.ts';
import { hashOfNumber } from './hash-of-number.ts';
import { bytesOf, TicketList } from './ticket-list.ts';

const LIST = { salt: 'c0ffee', bits: 20 };

function ticket(key: string, { hash = 7, type = 0, state = 0 } = {}): Uint8Array {
  const bytes = Buffer.alloc(12);
  Buffer.from(key.padStart(12, '0'), 'hex').copy(bytes);
  bytes.writeUInt32BE(hash, 6);
  bytes[10] = type;
  bytes[11] = state;
  return bytes;
}

describe('the list on the device', () => {
  it('finds a ticket by its number alone, with its type and state', async () => {
    const bytes = packed('1234567890', { key: randomBytes(6), state: 'refunding' }, LIST.bits);
    bytes[10] = 3;
    const list = new TicketList(bytesOf(bytes.toString('base64')));

    expect(list.withHash(await hashOfNumber('1234567890', LIST))).toMatchObject([
      { ticketType: 3, state: 'refunding' },
    ]);
    expect(list.withHash(await hashOfNumber('1234567891', LIST))).toEqual([]);
  });

  it('keeps all tickets that share a hash apart by their keys', () => {
    const list = new TicketList(Buffer.concat([ticket('a1'), ticket('ffffffffffff', { state: 1 }), ticket('a3')]));

    expect(list.withHash(7).map(({ key, state }) => [key, state])).toEqual([
      [0xa3, 'valid'],
      [0xffffffffffff, 'scanned'],
      [0xa1, 'valid'],
    ]);
  });

  it('takes over changes, in any order and more than once', () => {
    const list = new TicketList(Buffer.concat([ticket('a1'), ticket('a2', { hash: 8 })]));
    const news = Buffer.concat([ticket('a2', { hash: 8, state: 1 }), ticket('a9', { hash: 9, type: 1 })]);
    list.change(news);
    list.change(news);

    expect(list.size).toBe(3);
    expect(list.withHash(8)).toEqual([{ key: 0xa2, ticketType: 0, state: 'scanned' }]);
    expect(list.withHash(9)).toEqual([{ key: 0xa9, ticketType: 1, state: 'valid' }]);
    expect(list.withKey(0xa9)).toMatchObject({ ticketType: 1, state: 'valid' });
  });

  it('is the same list after it was kept', () => {
    const list = new TicketList(Buffer.concat([ticket('a1'), ticket('a2', { hash: 8 })]));
    list.change(ticket('a3', { hash: 8, state: 3 }));
    const again = new TicketList(list.toBytes());

    expect(again.size).toBe(3);
    expect(again.withHash(8)).toEqual(list.withHash(8));
  });

  it('lets nobody in by a state that it does not know', () => {
    expect(new TicketList(ticket('a1', { state: listStates.length })).withHash(7)).toMatchObject([{ state: 'void' }]);
  });

  it('reads 100,000 tickets in well under a second, and looks one up at once', () => {
    const bytes = Buffer.concat(
      Array.from({ length: 100_000 }, (_, at) => ticket(at.toString(16), { hash: (at * 7919) % 2 ** HASH_BITS_MAX })),
    ).toString('base64');
    const startedAt = cpuTimeMs();
    const list = new TicketList(bytesOf(bytes));
    const readMs = cpuTimeMs() - startedAt;
    const lookMs = cpuTimeOf(() => {
      for (let look = 0; look < 10_000; look++) list.withHash(look * 7919);
    });

    // Some 40 ms on a desk; this only keeps it from becoming quadratic.
    expect(readMs).toBeLessThan(1000);
    expect(lookMs).toBeLessThan(1000);
    expect(list.size).toBe(100_000);
  });
});
