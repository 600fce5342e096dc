/**
 * Once a limit is reached, further attempts are serialized and delayed. A correct code still passes, so that attackers cannot
 * lock others out, but a flood of guesses gains nothing.
 * Queues are local to a server, which learns of an exhausted limit from its own first failure.
 */

/** Interval between two attempts of one queue. */
export const INTERVAL_MS = 2_000;
const QUEUE_MAX = 3;
const RETRY_SECONDS = Math.ceil(INTERVAL_MS / 1000);
const isFull = (slot: number, now: number) => slot > now + QUEUE_MAX * INTERVAL_MS;

export function openAttemptQueues() {
  /** Exhausted limits, and when they reset. */
  const resetTimes = new Map<string, number>();
  /** Time slot of the last attempt in each queue. */
  const lastSlots = new Map<string, number>();

  const nextSlot = (queue: string, now: number) => Math.max(now, lastSlots.get(queue) ?? 0) + INTERVAL_MS;

  return {
    markExhausted(name: string, until: number): void {
      resetTimes.set(name, until);
    },

    /** Nearly always true, which skips all further checks. */
    isIdle: (): boolean => resetTimes.size === 0,

    isExhausted: (name: string): boolean => (resetTimes.get(name) ?? 0) > Date.now(),

    /** Waits for a slot and resolves to `null`, or at once to the seconds to wait if the queue is full. */
    async wait(queue: string): Promise<number | null> {
      const now = Date.now();
      const slot = nextSlot(queue, now);
      if (isFull(slot, now)) return RETRY_SECONDS;
      lastSlots.set(queue, slot);
      await new Promise<void>((begin) => setTimeout(begin, slot - now));
      return null;
    },

    /** The seconds that `wait` would resolve to now, without joining the queue. */
    retryAfter(queue: string): number | null {
      const now = Date.now();
      return isFull(nextSlot(queue, now), now) ? RETRY_SECONDS : null;
    },

    sweep(): void {
      const now = Date.now();
      for (const [name, until] of resetTimes) if (until <= now) resetTimes.delete(name);
      for (const [queue, slot] of lastSlots) if (slot <= now) lastSlots.delete(queue);
    },
  };
}
