import type { ListedOrder } from '#contract/app/sales/orders.ts';
import { orderStateNames, ordersPage as text } from '#messages/sales/orders.ts';
import { Chip } from '#web/ui/data/Chip.tsx';
import { clockTime } from '#web/ui/data/format.ts';

const tones = {
  paid: 'ok',
  'partly-refunded': 'few',
  refunded: 'off',
  disputed: 'bad',
  'in-review': 'bad',
  free: 'off',
  comp: 'off',
  checkout: 'note',
} as const;

export function OrderChip({
  order,
  timezone,
}: {
  order: Pick<ListedOrder, 'state' | 'reservedUntil'>;
  timezone: string;
}) {
  const { state, reservedUntil } = order;
  return (
    <Chip tone={tones[state]}>
      {orderStateNames[state]}
      {reservedUntil !== null && ` ${text.until(clockTime(reservedUntil, timezone))}`}
    </Chip>
  );
}
