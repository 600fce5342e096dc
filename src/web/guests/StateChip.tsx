import type { ListedGuest } from '#contract/app/sales/guest-table.ts';
import { guestStateNames } from '#messages/sales/guest-table.ts';
import { Chip } from '#web/ui/data/Chip.tsx';
import { clockTime } from '#web/ui/data/format.ts';

const tones = {
  valid: 'off',
  scanned: 'ok',
  refunding: 'few',
  refunded: 'off',
  void: 'off',
  disputed: 'bad',
} as const;

export function StateChip({ guest, timezone }: { guest: Pick<ListedGuest, 'state' | 'scannedAt'>; timezone: string }) {
  const { state, scannedAt } = guest;
  return (
    <Chip tone={tones[state]}>
      {guestStateNames[state]}
      {state === 'scanned' && scannedAt && ` ${clockTime(scannedAt, timezone)}`}
    </Chip>
  );
}
