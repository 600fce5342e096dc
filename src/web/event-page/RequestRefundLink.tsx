import { ButtonLink } from '#web/ui/button/Button.tsx';

/** A full page load: the server then tells until when refunds are open, also for an event that has ended. */
export function RequestRefundLink({ eventId }: { eventId: string }) {
  return (
    <ButtonLink href={`/refund/${encodeURIComponent(eventId)}`} kind="ghost">
      Request a Refund
    </ButtonLink>
  );
}
