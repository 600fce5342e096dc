import { useState } from 'react';
import { confirmPayoutAccount, payoutAccountHolder } from '#contract/app/payouts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { payoutAccountCheck as text } from '#messages/payouts.ts';
import { call, messageFrom } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import styles from './PayoutAccountCheck.module.css';

/** Payouts wait until an owner has looked at the account. */
export function PayoutAccountCheck({ onConfirmed }: { onConfirmed: () => Promise<void> }) {
  const [isBusy, setIsBusy] = useState(false);
  const [holder, setHolder] = useState<ReplyOf<typeof payoutAccountHolder> | null>(null);

  async function run(work: () => Promise<void>) {
    setIsBusy(true);
    try {
      await work();
    } catch (error) {
      toast.error(messageFrom(error, text.failed));
    }
    setIsBusy(false);
  }

  const look = () => run(async () => setHolder(await call(payoutAccountHolder, {})));
  const confirm = () =>
    run(async () => {
      toast.success((await call(confirmPayoutAccount, {})).msg);
      setHolder(null);
      await onConfirmed();
    });

  return (
    <Banner kind="warning" title={text.title}>
      <div className={styles.check}>
        <p>{text.why}</p>
        <Button kind="ghost" busy={isBusy && !holder} onClick={look}>
          {text.open}
        </Button>
      </div>
      {holder && (
        <Dialog title={text.title} open onClose={() => setHolder(null)}>
          <div className={styles.check}>
            <dl className={styles.holder}>
              <dt>{text.holder}</dt>
              <dd>{holder.name ?? text.unknown}</dd>
              <dt>{text.bank}</dt>
              <dd>{holder.bankLast4 === null ? text.unknown : text.bankEnding(holder.bankLast4)}</dd>
            </dl>
            <p className={styles.notMine}>{text.notMine}</p>
            <Button busy={isBusy} onClick={confirm}>
              {text.confirm}
            </Button>
          </div>
        </Dialog>
      )}
    </Banner>
  );
}
