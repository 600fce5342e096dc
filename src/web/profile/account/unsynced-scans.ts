/** Logging out clears this browser's storage, the only copy of scans that haven't synced. */
import * as z from 'zod/mini';

/** Names used by the scanner. */
const DATABASE = 'door';
const SCANS = 'scans';
/** The scanner removes the number once a scan has synced. */
const unsyncedScan = z.object({ confirmationNumber: z.string() });

/** Counts check-ins stored in this browser that the server has not received. */
export async function countUnsyncedScans(): Promise<number> {
  try {
    const database = await openScannerDatabase();
    if (!database) return 0;
    const scans = await allOf(database).finally(() => database.close());
    return scans.filter((scan) => unsyncedScan.safeParse(scan).success).length;
  } catch {
    // Unreadable storage has nothing to sync.
    return 0;
  }
}

/** Resolves to `null` instead of creating the database: an empty one would break the scanner's own upgrade. */
function openScannerDatabase(): Promise<IDBDatabase | null> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE);
    request.onupgradeneeded = () => request.transaction?.abort();
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => (request.error?.name === 'AbortError' ? resolve(null) : reject(request.error));
  });
}

function allOf(database: IDBDatabase): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const request = database.transaction(SCANS).objectStore(SCANS).getAll();
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
