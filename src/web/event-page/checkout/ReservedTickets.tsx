import { useState } from 'react';
import { giveHeldBack, heldAdvice, heldInWords, heldTitle, pageOpens } from '#contract/checkout-words.ts';
import { heldNotLoaded } from '#contract/page-words.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { bringIntoView } from '#web/ui/bring-into-view.ts';
import text from '#web/ui/text.module.css';
import styles from '../cart/cart.module.css';
import { handFocusOn } from '../pass-focus-to.ts';
import type { HeldPlace } from './use-reservation.ts';

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
          <Banner title={heldTitle} kind="success">
            <div className={styles.openCheckout}>
              <p className={text.num}>{turnInWords(held)}</p>
              <p>{heldAdvice}</p>
              <Button kind="ghost" ref={toTitle} busy={isGivingBack} onClick={() => void giveBack()}>
                {giveHeldBack}
              </Button>
            </div>
          </Banner>
        </div>
      )}
      {/* Mounted while empty, and without the count: heard when it begins, and then once a minute at most. */}
      <p className={text.srOnly} role="status">
        {held && `${heldTitle}. ${openingInWords(held)}`}
      </p>
    </>
  );
}

function turnInWords(held: HeldPlace): string {
  return held.before === null ? openingInWords(held) : heldInWords(held.before, held.aboutSeconds);
}

function openingInWords({ before, aboutSeconds, isUnasked }: HeldPlace): string {
  return isUnasked ? heldNotLoaded : pageOpens(before === null ? null : aboutSeconds);
}
