import type { EventStatus } from '#domain/sales/event-status.ts';
import { eventStatusNames } from '#messages/records/workspace.ts';
import { Chip } from '#web/ui/data/Chip.tsx';

const tones = {
  draft: 'off',
  scheduled: 'note',
  'on-sale': 'ok',
  'sold-out': 'note',
  paused: 'few',
  today: 'few',
  ended: 'off',
  'paid-out': 'off',
  cancelled: 'bad',
} as const satisfies Record<EventStatus, string>;

/** Where an event stands. */
export function StatusChip({ status }: { status: EventStatus }) {
  return <Chip tone={tones[status]}>{eventStatusNames[status]}</Chip>;
}
