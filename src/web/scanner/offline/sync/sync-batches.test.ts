import { describe, expect, it } from 'vitest';
import type { OfflineScan } from '#contract/door.ts';
import { SCANS_PER_HAND_IN_MAX } from '#domain/limits.ts';
import { CallError } from '#web/call-error.ts';
import { type HandedIn, handIn } from './sync-batches.ts';

const scansAt = (...times: number[]): OfflineScan[] =>
  times.map((at) => ({ scanId: `scan ${at}`, confirmationNumber: '1234567890', at }));
const many = scansAt(...Array.from({ length: 250 }, (_, at) => 1000 - at));

/** A server that refuses every part in which `isBad` is. */
async function handedIn(scans: OfflineScan[], refuse: (part: readonly OfflineScan[]) => CallError | null) {
  const [parts, settled]: [number[], HandedIn[]] = [[], []];
  const failure = await handIn(scans, {
    async send(part) {
      parts.push(part.length);
      const refusal = refuse(part);
      if (refusal) throw refusal;
      return { outcomes: part.map(({ scanId }) => ({ scanId, outcome: 'first' as const })) };
    },
    settle: async (done) => void settled.push(...done),
  }).catch((error: unknown) => error);
  return { parts, settled, failure };
}

describe('handing in', () => {
  it('goes in parts, the oldest first', async () => {
    const { parts, settled } = await handedIn(many, () => null);

    expect(parts).toEqual([SCANS_PER_HAND_IN_MAX, SCANS_PER_HAND_IN_MAX, 50]);
    expect(settled.map(({ scanId }) => scanId)).toEqual(many.map(({ scanId }) => scanId).reverse());
  });

  it('sets aside the one scan that the server cannot read, and hands in all others', async () => {
    const isBad = ({ scanId }: { scanId: string }) => scanId === 'scan 800' || scanId === 'scan 801';
    const { settled, failure } = await handedIn(many, (part) => (part.some(isBad) ? new CallError(400, 'Bad.') : null));

    expect(failure).toBeUndefined();
    expect(settled).toHaveLength(250);
    expect(settled.filter(({ outcome }) => outcome === null).map(({ scanId }) => scanId)).toEqual([
      'scan 800',
      'scan 801',
    ]);
  });

  it.each([0, 401, 404, 429, 503])(
    'keeps what status %i stopped, and what it did not stays handed in',
    async (status) => {
      let sent = 0;
      const { settled, failure } = await handedIn(many, () => (++sent === 2 ? new CallError(status, 'Later.') : null));

      expect(failure).toMatchObject({ status });
      expect(settled).toHaveLength(SCANS_PER_HAND_IN_MAX);
      expect(settled.every(({ outcome }) => outcome === 'first')).toBe(true);
    },
  );
});
