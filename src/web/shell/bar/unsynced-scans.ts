/** Logging out clears this browser's storage, the only copy of scans that haven't synced. */
import { openDB } from 'idb';
import * as z from 'zod/mini';

/** Names used by the scanner. */
const DATABASE = 'door';
const SCANS = 'scans';
/** The scanner removes the number once a scan has synced. */
const unsyncedScan = z.object({ confirmationNumber: z.string() });

/** Counts check-ins stored in this browser that the server has not received. */
export async function countUnsyncedScans(): Promise<number> {
  try {
    const database = await openDB(DATABASE, undefined, {
      // Fails instead of creating the database: an empty one would break the scanner's own upgrade. `done` fails with it.
      upgrade(_database, _oldVersion, _newVersion, creation) {
        creation.done.catch(() => {});
        creation.abort();
      },
    });
    const scans: unknown[] = await database.getAll(SCANS).finally(() => database.close());
    return scans.filter((scan) => unsyncedScan.safeParse(scan).success).length;
  } catch {
    // Missing or unreadable storage has nothing to sync.
    return 0;
  }
}
