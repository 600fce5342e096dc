import type { SeriesDate } from '#contract/app/sales/series-page.ts';
import { organizerPage as text } from '#messages/sales/organizer-page.ts';
import { Chip } from '#web/ui/data/Chip.tsx';
import { formatShort } from '#web/ui/data/format.ts';

type ShownSale = Pick<SeriesDate, 'sale' | 'opensAt' | 'fromCents' | 'hasOnePrice' | 'timezone'>;

const TONES = { 'on-sale': 'ok', 'few-left': 'few', 'sold-out': 'bad', paused: 'off', cancelled: 'bad' } as const;

/** What an event costs, and how it sells. */
export function Sale({ of, className }: { of: ShownSale; className: string | undefined }) {
  const { sale, opensAt, fromCents, hasOnePrice, timezone } = of;
  return (
    <p className={className}>
      {fromCents !== null && <strong>{text.price(fromCents, hasOnePrice)}</strong>}
      {sale === 'not-yet' ? (
        <Chip tone="note">{opensAt ? text.opens(formatShort(opensAt, timezone)) : text.soon}</Chip>
      ) : (
        <Chip tone={TONES[sale]}>{text.sale[sale]}</Chip>
      )}
    </p>
  );
}
