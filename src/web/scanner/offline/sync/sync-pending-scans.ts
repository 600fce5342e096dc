import { handInNotes, type OfflineScan, type ScanOutcome } from '#contract/door.ts';
import { PATIENCE_MS } from '../connection.ts';
import type { DoorBook } from '../event-cache.ts';
import { handIn } from './sync-batches.ts';

interface HandInSurroundings {
  calls: {
    handIn(
      scans: OfflineScan[],
      signal: AbortSignal,
    ): Promise<{ outcomes: { scanId: string; outcome: ScanOutcome }[] }>;
  };
  /** Collects the ids of scans that were sent, until their outcome is known. */
  mayBeKnown: Set<string>;
  /** Collects the ids of scans that the server cannot read, which are not sent again. */
  setAside: Set<string>;
  tell: (note: string) => void;
  show: () => void;
}

/** Hands in what waits of an event, and tells the attendant what the device could not know. */
export async function handInWaiting(
  book: DoorBook,
  { calls, mayBeKnown, setAside, tell, show }: HandInSurroundings,
): Promise<void> {
  const toHandIn = () => book.waiting().filter(({ scanId }) => !setAside.has(scanId));
  if (toHandIn().length === 0) return;
  await book.store.inTurn(book.eventId, async () => {
    // Another tab may have handed them in while this one waited for its turn.
    await book.glance();
    const outcomes: ScanOutcome[] = [];
    let refused = 0;
    const scans = toHandIn().map(({ scanId, confirmationNumber, at }) => ({ scanId, confirmationNumber, at }));
    try {
      await handIn(scans, {
        send(part) {
          for (const { scanId } of part) mayBeKnown.add(scanId);
          return calls.handIn([...part], AbortSignal.timeout(PATIENCE_MS));
        },
        async settle(done) {
          const bad = done.filter(({ outcome }) => outcome === null);
          for (const { scanId } of bad) setAside.add(scanId);
          refused += bad.length;
          outcomes.push(...done.flatMap(({ outcome }) => outcome ?? []));
          await book.markKnown(done.flatMap(({ scanId, outcome }) => (outcome === null ? [] : [scanId])));
          for (const { scanId } of done) mayBeKnown.delete(scanId);
          show();
        },
      });
    } finally {
      for (const note of handInNotes(outcomes, refused)) tell(note);
    }
  });
}
