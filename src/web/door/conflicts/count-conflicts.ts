import { type SyncConflict } from '#contract/app/check-in-devices.ts';

/** Counts tickets: one that was admitted three times has two conflicts. */
export function countDoubleAdmissions(conflicts: readonly SyncConflict[]): number {
  const doubleAdmissions = conflicts.filter(({ result }) => result === 'double');
  return new Set(doubleAdmissions.map(({ confirmationNumber }) => confirmationNumber)).size;
}

/** React keys for conflicts, which have no id. Counting distinguishes identical ones. */
export function conflictKeys(conflicts: readonly SyncConflict[]): string[] {
  const seen = new Map<string, number>();
  return conflicts.map(({ result, confirmationNumber, at, device }) => {
    const key = [result, confirmationNumber, at, device].join(' ');
    const repeats = seen.get(key) ?? 0;
    seen.set(key, repeats + 1);
    return `${key} ${repeats}`;
  });
}
