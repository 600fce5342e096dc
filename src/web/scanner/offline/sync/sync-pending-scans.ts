import { type OfflineScan, type ScanResult } from '#contract/app/check-in-devices.ts';
import { syncNotes } from '#messages/check-in-offline.ts';
import { TIMEOUT_MS } from '../connection.ts';
import type { EventCache } from '../event-cache.ts';
import { syncInBatches } from './sync-batches.ts';

interface SyncDeps {
  calls: {
    sync(scans: OfflineScan[], signal: AbortSignal): Promise<{ results: { scanId: string; result: ScanResult }[] }>;
  };
  /** Collects the ids of scans that were sent, until they are answered. */
  inFlight: Set<string>;
  /** Collects the ids of scans that the server answers with 400, which are not sent again. */
  rejected: Set<string>;
  notify: (note: string) => void;
  onProgress: () => void;
}

/** Syncs an event's pending scans, and notifies the attendant of conflicts that this device could not know. */
export async function syncPendingScans(
  cache: EventCache,
  { calls, inFlight, rejected, notify, onProgress }: SyncDeps,
): Promise<void> {
  const scansToSync = () => cache.pendingScans().filter(({ scanId }) => !rejected.has(scanId));
  if (scansToSync().length === 0) return;
  await cache.store.withLock(cache.eventId, async () => {
    // Another tab may have synced them while this one waited for the lock.
    await cache.refresh();
    const results: ScanResult[] = [];
    let rejectedCount = 0;
    const scans = scansToSync().map(({ scanId, confirmationNumber, at }) => ({ scanId, confirmationNumber, at }));
    try {
      await syncInBatches(scans, {
        send(batch) {
          for (const { scanId } of batch) inFlight.add(scanId);
          return calls.sync([...batch], AbortSignal.timeout(TIMEOUT_MS));
        },
        async settle(done) {
          const invalid = done.filter(({ result }) => result === null);
          for (const { scanId } of invalid) rejected.add(scanId);
          rejectedCount += invalid.length;
          results.push(...done.flatMap(({ result }) => result ?? []));
          await cache.markSynced(done.flatMap(({ scanId, result }) => (result === null ? [] : [scanId])));
          for (const { scanId } of done) inFlight.delete(scanId);
          onProgress();
        },
      });
    } finally {
      for (const note of syncNotes(results, rejectedCount)) notify(note);
    }
  });
}
