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
      toast.error('Your payout account still needs details. If you gave them all, reload this page in a minute.');
    else toast.success('Your payout account is connected.');
  }, [hasReturned, organizer, setSearch]);
}
