import { useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { type Access, isAllowed } from '#domain/accounts/roles.ts';
import { formatDollars } from '#messages/format.ts';
import { payoutProcessed, payoutRequested } from '#messages/payouts.ts';
import { call, messageFrom } from '#web/api.ts';
import { payoutDenial } from '#web/profile/events/event-totals.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import styles from './PayoutPanel.module.css';

interface RequestPayoutProps {
  event: OrganizerEvent;
  access: Access;
  isReady: boolean;
  onChanged: () => Promise<void>;
}

export function RequestPayout({ event, access, isReady, onChanged }: RequestPayoutProps) {
  const [isRequesting, setIsRequesting] = useState(false);
  const [total, setTotal] = useState<number | null>(null);
  const denial = payoutDenial(event);
  const isOwner = isAllowed(access, 'payout-account.manage');

  // Always ask the server while the state can change: its clock and balances decide, and each denial has its own
  // message.
  async function request() {
    if (denial) return toast.error(denial);
    setIsRequesting(true);
    try {
      const { totalPayout } = await call(requestPayout, { eventId: event.eventId });
      setTotal(totalPayout);
      toast.success(isOwner ? payoutProcessed : payoutRequested);
      await onChanged();
    } catch (error) {
      toast.error(messageFrom(error, 'Error requesting payout'));
    }
    setIsRequesting(false);
  }

  return (
    <>
      {isAllowed(access, 'payout.request') && (
        <Button
          kind={isReady ? 'gold' : 'ghost'}
          busy={isRequesting}
          aria-disabled={denial !== null || undefined}
          onClick={request}
        >
          Request Payout
        </Button>
      )}
      <p role="status" className={styles.total}>
        {total !== null && `Your payout: ${formatDollars(total)}`}
      </p>
    </>
  );
}
