import { describe, expect, it } from 'vitest';
import { type QueueToken, signQueueToken, verifyQueueToken } from './queue-token.ts';

const deps = { appSecret: ['secret'] } as const;
const ref: QueueToken = {
  eventId: 'q8Zr1LkV0aXw3T-_',
  orderId: '019a2b3c-4d5e-7f60-8192-a3b4c5d6e7f8',
  position: 1234,
};
const handle = signQueueToken(deps, ref);

describe('the queue token', () => {
  it('identifies the order and its queue position', () => {
    expect(verifyQueueToken(deps, handle)).toEqual(ref);
  });

  it('stays valid across updates', () => {
    expect(handle.split('.').at(-1)).toBe('JN2TXlmgOApXUKMJfVGUtaV_IqnBLg7fZcrwiVp9csw');
  });

  it.each([
    ['for another event', handle.replace('q8Zr', 'q8Zs')],
    ['for another order', handle.replace('019a', '019b')],
    ['for another position', handle.replace('.1234.', '.1.')],
    ['signed with another key', signQueueToken({ appSecret: ['other'] }, ref)],
    ['with a changed signature', `${handle.slice(0, -2)}AA`],
    ['without a signature', handle.slice(0, handle.lastIndexOf('.'))],
    ['with a short signature', handle.slice(0, -1)],
    ['with a long signature', `${handle}A`],
    ['with something before it', ` ${handle}`],
    ['with something after it', `${handle} `],
    ['when empty', ''],
  ])('is rejected %s', (_case, given) => {
    expect(verifyQueueToken(deps, given)).toBeNull();
  });
});
