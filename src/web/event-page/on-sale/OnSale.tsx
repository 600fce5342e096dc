import { useEffect } from 'react';
import type { PublicEvent } from '#contract/events.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { tabTitle, usePageTitle } from '#web/ui/page-title.ts';
import text from '#web/ui/text.module.css';
import { OnSaleCard } from './OnSaleCard.tsx';
import { TurnCard } from './SaleStageCard.tsx';
import { announcementOf, closedLabel } from './sale-messages.ts';
import { mayChoose } from './sale-stage.ts';
import { useSale } from './use-sale.ts';
import type { SaleGate } from './use-sale-gate.ts';

interface OnSaleProps {
  event: PublicEvent;
  /** Raised by whoever wants another look, such as after a refused checkout: perhaps the place is no longer good. */
  looks: number;
  onGate: (gate: SaleGate) => void;
  /** The sale is not what it was when the page came. */
  onGone: () => void;
}

/** The declared start of a sale, and the waiting room in front of it. */
export function OnSale({ event, looks, onGate, onGone }: OnSaleProps) {
  const { turn, now, sale, outOfReach, getNewPlace, isGettingPlace } = useSale(event.eventId, looks, onGone);
  const closed = turn && closedLabel(turn);
  const canChoose = turn !== null && mayChoose(turn, now);
  const isKnown = turn !== null;
  usePageTitle(turn?.is === 'called' ? `Your turn: ${event.title}` : event.title);

  // Where this goes away, the tab no longer says whose turn it is.
  useEffect(
    () => () => {
      document.title = tabTitle(event.title);
    },
    [event.title],
  );

  useEffect(() => {
    if (isKnown) onGate({ closed, mayChoose: canChoose });
  }, [isKnown, closed, canChoose, onGate]);

  return (
    <>
      {turn && sale ? (
        <TurnCard
          {...{ turn, now, sale }}
          timezone={event.timezone}
          onNewPlace={getNewPlace}
          isGettingPlace={isGettingPlace}
        />
      ) : (
        <OnSaleCard event={event} />
      )}
      {outOfReach !== null && (
        <Banner kind="warning" title="We cannot reach the sale at the moment">
          {outOfReach}
        </Banner>
      )}
      {turn && turn.is !== 'early' && sale?.isSoldOut && (
        <Banner kind="warning" title="All tickets are taken at the moment">
          Some may come back while others do not pay.
        </Banner>
      )}
      {/* Changes with what happens and once in some minutes, not with every second. */}
      <p className={text.srOnly} role="status">
        {turn && announcementOf(turn, now)}
      </p>
    </>
  );
}
