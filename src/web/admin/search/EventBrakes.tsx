import { holdPayout, stopSales } from '#contract/app/brakes.ts';
import { call } from '#web/api.ts';
import { BrakeButton } from './BrakeButton.tsx';

/** What an operator does about an event that looks wrong. */
export function EventBrakes({
  event: { eventId, title },
  onActed,
}: {
  event: { eventId: string; title: string };
  onActed: () => Promise<void>;
}) {
  return (
    <>
      <BrakeButton
        action="stop-sales"
        about={title}
        send={(note) => call(stopSales, { eventId, note })}
        onDone={onActed}
      />
      <BrakeButton
        action="hold-payout"
        about={title}
        send={(note) => call(holdPayout, { eventId, note })}
        onDone={onActed}
      />
    </>
  );
}
