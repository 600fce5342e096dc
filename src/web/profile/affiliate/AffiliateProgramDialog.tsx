import { useState } from 'react';
import { generateCode } from '#contract/app/affiliates.ts';
import { CODE_PRICE_TOKENS, STARTING_TOKENS, TOKENS_PER_PAYOUT } from '#domain/accounts/affiliate.ts';
import { codeGenerated } from '#messages/accounts.ts';
import { plural } from '#messages/format.ts';
import { unknownError } from '#messages/pages.ts';
import { codeList } from '#messages/records/affiliates.ts';
import { call, messageFrom } from '#web/api.ts';
import { missingSetUp } from '#web/profile/missing-set-up.ts';
import type { Profile } from '#web/profile/use-profile.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { CopyButton } from '#web/ui/button/CopyButton.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { AffiliateCodes } from './AffiliateCodes.tsx';
import styles from './AffiliateProgramDialog.module.css';

interface AffiliateProgramDialogProps {
  organizer: Profile;
  onClose: () => void;
  onGenerated: () => Promise<void>;
}

export function AffiliateProgramDialog({ organizer, onClose, onGenerated }: AffiliateProgramDialogProps) {
  const { tokenCount, affiliateCode } = organizer;
  const missing = missingSetUp(organizer);
  const [isGenerating, setIsGenerating] = useState(false);

  async function generate() {
    setIsGenerating(true);
    try {
      await call(generateCode, {});
      toast.success(codeGenerated);
      await onGenerated();
    } catch (error) {
      toast.error(`Generation failed: ${messageFrom(error, unknownError)}`);
    }
    setIsGenerating(false);
  }

  return (
    <Dialog title="Affiliate Program" open onClose={onClose}>
      <div className={styles.body}>
        {missing && <Banner kind="warning">{missing}</Banner>}
        <p>
          Give another organizer a code. It waives the processing fee for the event they create with it. Once that event
          pays out, your next event's processing fee is waived, too.
        </p>
        <dl className={styles.details}>
          <div>
            <dt>Tokens</dt>
            <dd>{tokenCount.toLocaleString('en-US')}</dd>
          </div>
          <div>
            <dt>Your code</dt>
            <dd className={styles.code}>
              <span role="status">{affiliateCode ?? 'No unused code'}</span>
              {affiliateCode && <CopyButton text={affiliateCode} label="Copy your code" />}
            </dd>
          </div>
        </dl>
        <Button kind="gold" busy={isGenerating} onClick={generate}>
          Generate Code
        </Button>
        <AffiliateCodes key={affiliateCode} />
        <ul className={styles.rules}>
          <li>
            A code costs {plural(CODE_PRICE_TOKENS, { one: '# token', other: '# tokens' })}. You start with{' '}
            {STARTING_TOKENS} and earn {TOKENS_PER_PAYOUT} each time an event pays out.
          </li>
          <li>Each code works once, for another organizer.</li>
          <li>One unused code at a time. {codeList.expiry}</li>
        </ul>
      </div>
    </Dialog>
  );
}
