/** Hands scans to the server that it has not heard of, a part at a time. */
import type { OfflineScan, ScanOutcome } from '#contract/door.ts';
import { SCANS_PER_HAND_IN_MAX } from '#domain/limits.ts';
import { CallError } from '#web/call-error.ts';

export interface HandedIn {
  scanId: string;
  /** `null`: the server will never take it. */
  outcome: ScanOutcome | null;
}

interface HandInCalls {
  send(scans: readonly OfflineScan[]): Promise<{ outcomes: readonly { scanId: string; outcome: ScanOutcome }[] }>;
  /** Told after each part, so that what the server knows is not sent again after the next part has failed. */
  settle(done: readonly HandedIn[]): Promise<void>;
}

/** The oldest first. Throws what a call throws that may succeed later; what was settled before it stays settled. */
export async function handIn(scans: readonly OfflineScan[], calls: HandInCalls): Promise<void> {
  const inOrder = [...scans].sort((a, b) => a.at - b.at);
  for (let from = 0; from < inOrder.length; from += SCANS_PER_HAND_IN_MAX) {
    await handInPart(inOrder.slice(from, from + SCANS_PER_HAND_IN_MAX), calls);
  }
}

/** One scan that the server cannot read must not hold up the others, so a refused part is halved until it is found. */
async function handInPart(part: readonly OfflineScan[], calls: HandInCalls): Promise<void> {
  const done = await calls.send(part).then(
    ({ outcomes }): HandedIn[] => [...outcomes],
    (error: unknown) => {
      if (!isRefusedForGood(error)) throw error;
      return null;
    },
  );
  if (done) return calls.settle(done);

  const [only] = part;
  if (part.length === 1 && only) return calls.settle([{ scanId: only.scanId, outcome: null }]);
  const half = Math.ceil(part.length / 2);
  await handInPart(part.slice(0, half), calls);
  await handInPart(part.slice(half), calls);
}

/** Another status may pass: a grant is entered again, a rush ends, a server is deployed. */
function isRefusedForGood(error: unknown): boolean {
  return error instanceof CallError && error.status === 400;
}
