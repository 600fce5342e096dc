/** Sends offline scans to the server in batches. */
import type { OfflineScan, ScanResult } from '#contract/app/check-in-devices.ts';
import { SCANS_PER_SYNC_MAX } from '#domain/limits.ts';
import { CallError } from '#web/call-error.ts';

export interface SyncedScan {
  scanId: string;
  /** `null` if the server rejects the scan permanently. */
  result: ScanResult | null;
}

interface SyncBatchCalls {
  send(scans: readonly OfflineScan[]): Promise<{ results: readonly { scanId: string; result: ScanResult }[] }>;
  /** Called after each batch, so that a failure of the next one does not resend it. */
  settle(done: readonly SyncedScan[]): Promise<void>;
}

/** Oldest first. Throws temporary errors; batches that were settled before stay settled. */
export async function syncInBatches(scans: readonly OfflineScan[], calls: SyncBatchCalls): Promise<void> {
  const sorted = [...scans].sort((a, b) => a.at - b.at);
  for (let from = 0; from < sorted.length; from += SCANS_PER_SYNC_MAX) {
    await syncBatch(sorted.slice(from, from + SCANS_PER_SYNC_MAX), calls);
  }
}

/** One invalid scan must not block the others, so a rejected batch is split in half until the scan is found. */
async function syncBatch(batch: readonly OfflineScan[], calls: SyncBatchCalls): Promise<void> {
  const done = await calls.send(batch).then(
    ({ results }): SyncedScan[] => [...results],
    (error: unknown) => {
      if (!isPermanentlyRejected(error)) throw error;
      return null;
    },
  );
  if (done) return calls.settle(done);

  const [only] = batch;
  if (batch.length === 1 && only) return calls.settle([{ scanId: only.scanId, result: null }]);
  const half = Math.ceil(batch.length / 2);
  await syncBatch(batch.slice(0, half), calls);
  await syncBatch(batch.slice(half), calls);
}

/** Other statuses can pass: the grant is renewed, a rush ends, a deployment finishes. */
function isPermanentlyRejected(error: unknown): boolean {
  return error instanceof CallError && error.status === 400;
}
