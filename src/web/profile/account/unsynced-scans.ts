/** Logging out empties this browser's storage. Scans that were not handed in yet lie there, and nowhere else. */
import * as z from 'zod/mini';

/** What the scanner calls them. */
const DATABASE = 'door';
const SCANS = 'scans';
/** The number goes from a scan once the server knows of it. */
const waitingScan = z.object({ confirmationNumber: z.string() });

/** How many tickets this browser has let in of which the server has not heard. */
export async function countWaitingScans(): Promise<number> {
  try {
    const database = await openKept();
    if (!database) return 0;
    const scans = await allOf(database).finally(() => database.close());
    return scans.filter((scan) => waitingScan.safeParse(scan).success).length;
  } catch {
    // Storage that cannot be read holds nothing that could be handed in.
    return 0;
  }
}

/** Never makes it: an empty one would stand in the scanner's way. */
function openKept(): Promise<IDBDatabase | null> {
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
