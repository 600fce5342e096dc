import { useState } from 'react';
import { releaseReservation, queueAdvice, queueMessage, queueTitle, pageOpens } from '#contract/checkout-words.ts';
import { queuedCheckoutNotLoaded } from '#contract/page-words.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { bringIntoView } from '#web/ui/page/bring-into-view.ts';
import text from '#web/ui/styles/text.module.css';
import styles from './cart.module.css';
import { handFocusOn } from './hand-focus-on.ts';
import type { HeldPlace } from './use-held.ts';

const toTitle = handFocusOn('h1');

/** For a buyer whose tickets are held, and whose payment page comes when it is their turn. */
export function HeldTickets({ held, onGiveBack }: { held: HeldPlace | null; onGiveBack: () => Promise<void> }) {
  const [isGivingBack, setIsGivingBack] = useState(false);

  async function giveBack() {
    setIsGivingBack(true);
    await onGiveBack();
    setIsGivingBack(false);
  }

  return (
    <>
      {held && (
        <div ref={bringIntoView}>
          <Banner title={queueTitle} kind="success">
            <div className={styles.openCheckout}>
              <p className={text.num}>{turnInWords(held)}</p>
              <p>{queueAdvice}</p>
              <Button kind="ghost" ref={toTitle} busy={isGivingBack} onClick={() => void giveBack()}>
                {releaseReservation}
              </Button>
            </div>
          </Banner>
        </div>
      )}
      {/* Mounted while empty, and without the count: heard when it begins, and then once a minute at most. */}
      <p className={text.srOnly} role="status">
        {held && `${queueTitle}. ${openingInWords(held)}`}
      </p>
    </>
  );
}

function turnInWords(held: HeldPlace): string {
  return held.before === null ? openingInWords(held) : queueMessage(held.before, held.aboutSeconds);
}

function openingInWords({ before, aboutSeconds, isUnasked }: HeldPlace): string {
  return isUnasked ? queuedCheckoutNotLoaded : pageOpens(before === null ? null : aboutSeconds);
}
