import { describe, expect, it } from 'vitest';
import { openQueueToken, type QueueToken, sealHandle } from './queue-token.ts';

const deps = { appSecret: 'secret' };
const held: QueueToken = { eventId: 'q8Zr1LkV0aXw3T-_', orderId: '019a2b3c-4d5e-7f60-8192-a3b4c5d6e7f8', place: 1234 };
const handle = sealHandle(deps, held);

describe('the handle of held tickets', () => {
  it('identifies the order and its place in line', () => {
    expect(openQueueToken(deps, handle)).toEqual(held);
  });

  it('stays valid across updates', () => {
    expect(handle.split('.').at(-1)).toBe('NvV-BxwxaZlqx6nYo-01P7uzVUJtEhH_B7EY4k7x-CQ');
  });

  it.each([
    ['for another event', handle.replace('q8Zr', 'q8Zs')],
    ['for another order', handle.replace('019a', '019b')],
    ['for another place', handle.replace('.1234.', '.1.')],
    ['signed with another key', sealHandle({ appSecret: 'other' }, held)],
    ['with a changed signature', `${handle.slice(0, -2)}AA`],
    ['without a signature', handle.slice(0, handle.lastIndexOf('.'))],
    ['with a short signature', handle.slice(0, -1)],
    ['with a long signature', `${handle}A`],
    ['with something before it', ` ${handle}`],
    ['with something after it', `${handle} `],
    ['when empty', ''],
  ])('is rejected %s', (_case, given) => {
    expect(openQueueToken(deps, given)).toBeNull();
  });
});
