import { describe, expect, it } from 'vitest';
import type { OfflineScan } from '#contract/app/check-in-devices.ts';
import { SCANS_PER_SYNC_MAX } from '#domain/limits.ts';
import { CallError } from '#web/call-error.ts';
import { type SyncedScan, syncInBatches } from './sync-batches.ts';

const scansAt = (...times: number[]): OfflineScan[] =>
  times.map((at) => ({ scanId: `scan ${at}`, confirmationNumber: '1234567890', at }));
const many = scansAt(...Array.from({ length: 250 }, (_, at) => 1000 - at));

/** Syncs with a server that fails each batch for which `fail` returns an error. */
async function syncAll(scans: OfflineScan[], fail: (batch: readonly OfflineScan[]) => CallError | null) {
  const [batches, settled]: [number[], SyncedScan[]] = [[], []];
  const failure = await syncInBatches(scans, {
    async send(batch) {
      batches.push(batch.length);
      const error = fail(batch);
      if (error) throw error;
      return { results: batch.map(({ scanId }) => ({ scanId, result: 'first' as const })) };
    },
    settle: async (done) => void settled.push(...done),
  }).catch((error: unknown) => error);
  return { batches, settled, failure };
}

describe('syncInBatches', () => {
  it('sends batches, oldest first', async () => {
    const { batches, settled } = await syncAll(many, () => null);

    expect(batches).toEqual([SCANS_PER_SYNC_MAX, SCANS_PER_SYNC_MAX, 50]);
    expect(settled.map(({ scanId }) => scanId)).toEqual(many.map(({ scanId }) => scanId).reverse());
  });

  it('isolates the scans that the server rejects, and syncs all others', async () => {
    const isBad = ({ scanId }: { scanId: string }) => scanId === 'scan 800' || scanId === 'scan 801';
    const { settled, failure } = await syncAll(many, (batch) =>
      batch.some(isBad) ? new CallError(400, 'Bad.') : null,
    );

    expect(failure).toBeUndefined();
    expect(settled).toHaveLength(250);
    expect(settled.filter(({ result }) => result === null).map(({ scanId }) => scanId)).toEqual([
      'scan 800',
      'scan 801',
    ]);
  });

  it.each([0, 401, 404, 429, 503])('stops at status %i and keeps earlier batches settled', async (status) => {
    let sent = 0;
    const { settled, failure } = await syncAll(many, () => (++sent === 2 ? new CallError(status, 'Later.') : null));

    expect(failure).toMatchObject({ status });
    expect(settled).toHaveLength(SCANS_PER_SYNC_MAX);
    expect(settled.every(({ result }) => result === 'first')).toBe(true);
  });
});
