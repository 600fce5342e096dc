import { ButtonLink } from '#web/ui/button/Button.tsx';

/** A full page load: the server then renders the refund deadline, even for an event that has ended. */
export function RequestRefundLink({ eventId }: { eventId: string }) {
  return (
    <ButtonLink href={`/refund/${encodeURIComponent(eventId)}`} kind="ghost">
      Request a Refund
    </ButtonLink>
  );
}
