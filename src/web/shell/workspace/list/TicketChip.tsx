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

interface TicketChipProps {
  ticket: Pick<ListedGuest, 'state' | 'scannedAt'>;
  timezone: string;
}

export function TicketChip({ ticket: { state, scannedAt }, timezone }: TicketChipProps) {
  return (
    <Chip tone={tones[state]}>
      {guestStateNames[state]}
      {state === 'scanned' && scannedAt && ` ${clockTime(scannedAt, timezone)}`}
    </Chip>
  );
}
