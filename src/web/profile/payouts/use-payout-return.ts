/** Shows a toast after returning from Stripe and removes the marker from the URL. */
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import type { Profile } from '#web/profile/use-profile.ts';
import { toast } from '#web/ui/feedback/toast.ts';

export function usePayoutReturn(organizer: Profile | null): void {
  const [search, setSearch] = useSearchParams();
  const hasReturned = search.has('payouts');

  useEffect(() => {
    if (!hasReturned || !organizer) return;
    setSearch({}, { replace: true });
    if (organizer.openSteps.includes('connect-payouts'))
      toast.error("Stripe still needs details from you. If you've entered them all, reload this page in a minute.");
    else toast.success('Stripe is connected.');
  }, [hasReturned, organizer, setSearch]);
}
