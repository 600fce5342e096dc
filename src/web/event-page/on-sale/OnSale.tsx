import { useEffect } from 'react';
import type { PublicEvent } from '#contract/app/events.ts';
import { loadCode } from '#web/load-code.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { tabTitle, usePageTitle } from '#web/ui/page/page-title.ts';
import text from '#web/ui/styles/text.module.css';
import { useLoaded } from '#web/use-loaded.ts';
import { OnSaleCard } from './OnSaleCard.tsx';
import { SaleStageCard } from './SaleStageCard.tsx';
import { announcementOf, checkoutLabel } from './sale-messages.ts';
import { mayChoose } from './sale-stage.ts';
import { useSale } from './use-sale.ts';
import type { SaleGate } from './use-sale-gate.ts';

interface OnSaleProps {
  event: PublicEvent;
  /** Increment to poll again, such as after a denied checkout: the position may have expired. */
  refreshes: number;
  onGate: (gate: SaleGate) => void;
  /** The sale was cancelled or changed since the page loaded. */
  onGone: () => void;
}

const loadDrawCheck = () => loadCode(() => import('./DrawCheckCard.tsx'));

/** A scheduled sale, with its waiting room if it has one. */
export function OnSale({ event, refreshes, onGate, onGone }: OnSaleProps) {
  const { stage, now, sale, denial, connectionProblem, rejoin, isRejoining } = useSale(
    event.eventId,
    refreshes,
    onGone,
  );
  const drawPart = useLoaded(typeof sale?.draw?.key === 'string', loadDrawCheck);
  const closedLabel = stage && checkoutLabel(stage);
  const canChoose = stage !== null && mayChoose(stage, now);
  const isLoaded = stage !== null;
  usePageTitle(stage?.kind === 'called' ? `Your turn: ${event.title}` : event.title);

  // Removes "Your turn" from the tab title on unmount.
  useEffect(
    () => () => {
      document.title = tabTitle(event.title);
    },
    [event.title],
  );

  useEffect(() => {
    if (isLoaded) onGate({ closedLabel, canChoose });
  }, [isLoaded, closedLabel, canChoose, onGate]);

  return (
    <>
      {stage && sale ? (
        <SaleStageCard
          {...{ stage, now, sale, denial }}
          timezone={event.timezone}
          onRejoin={rejoin}
          isRejoining={isRejoining}
        />
      ) : (
        <OnSaleCard event={event} />
      )}
      {sale?.draw && drawPart && <drawPart.DrawCheckCard eventId={event.eventId} draw={sale.draw} />}
      {connectionProblem !== null && (
        <Banner kind="warning" title="We lost the connection">
          {connectionProblem}
        </Banner>
      )}
      {stage && stage.kind !== 'early' && sale?.isSoldOut && (
        <Banner kind="warning" title="Sold out for now">
          Tickets in other carts may come back, so keep this page open.
        </Banner>
      )}
      {/* Changes with the stage and every few minutes, not every second. */}
      <p className={text.srOnly} role="status">
        {stage && announcementOf(stage, now, denial)}
      </p>
    </>
  );
}
