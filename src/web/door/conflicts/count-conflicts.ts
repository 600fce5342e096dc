import type { DoorFinding } from '#contract/door-view-words.ts';

/** A ticket that came in three times is one ticket with two findings. */
export function doublesOf(findings: readonly DoorFinding[]): number {
  const doubles = findings.filter(({ outcome }) => outcome === 'double');
  return new Set(doubles.map(({ confirmationNumber }) => confirmationNumber)).size;
}

/** Findings have no id. Two made-up numbers on one device in the same instant are told apart by counting them. */
export function keysOf(findings: readonly DoorFinding[]): string[] {
  const seen = new Map<string, number>();
  return findings.map(({ outcome, confirmationNumber, at, device }) => {
    const key = [outcome, confirmationNumber, at, device].join(' ');
    const again = seen.get(key) ?? 0;
    seen.set(key, again + 1);
    return `${key} ${again}`;
  });
}
