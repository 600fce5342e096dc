/**
 * Whoever goes on guessing when a budget is used up is judged one at a time, and slowly. A right code passes all the same, so
 * that nobody can shut others out by guessing badly; but a flood of guesses is worth no more than a trickle.
 * Each server keeps its own lines, and knows of a used-up budget from the first failure that it sees itself.
 */

/** One guess in so many milliseconds from each line. */
export const PACE_MS = 2_000;
const QUEUE_MAX = 3;
const COME_BACK_SECONDS = Math.ceil(PACE_MS / 1000);
const isTooLate = (turn: number, now: number) => turn > now + QUEUE_MAX * PACE_MS;

export function openSlowQueues() {
  /** Budgets that are used up, and until when. */
  const usedUp = new Map<string, number>();
  /** When the last one in line is judged. */
  const lastTurns = new Map<string, number>();

  const turnOf = (line: string, now: number) => Math.max(now, lastTurns.get(line) ?? 0) + PACE_MS;

  return {
    noteUsedUp(name: string, until: number): void {
      usedUp.set(name, until);
    },

    /** True nearly always, and spares everyone else the rest. */
    areQuiet: (): boolean => usedUp.size === 0,

    isUsedUp: (name: string): boolean => (usedUp.get(name) ?? 0) > Date.now(),

    /** Answers the seconds after which to come back where the line is full, and `null` when it is one's turn. */
    async standInLine(line: string): Promise<number | null> {
      const now = Date.now();
      const turn = turnOf(line, now);
      if (isTooLate(turn, now)) return COME_BACK_SECONDS;
      lastTurns.set(line, turn);
      await new Promise<void>((begin) => setTimeout(begin, turn - now));
      return null;
    },

    /** What `standInLine` would answer now, without standing in it. */
    comeBackAfter(line: string): number | null {
      const now = Date.now();
      return isTooLate(turnOf(line, now), now) ? COME_BACK_SECONDS : null;
    },

    sweep(): void {
      const now = Date.now();
      for (const [name, until] of usedUp) if (until <= now) usedUp.delete(name);
      for (const [line, turn] of lastTurns) if (turn <= now) lastTurns.delete(line);
    },
  };
}
