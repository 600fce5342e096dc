import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import type { DoorView } from '#contract/door-view-words.ts';
import { eventCancelled, eventEnded } from '#contract/event-words.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { ChangeCodeDialog } from '#web/ui/ChangeCodeDialog.tsx';
import { ArrivalsCard } from './arrivals/ArrivalsCard.tsx';
import { FindingBanners, FindingsCard } from './conflicts/SyncConflicts.tsx';
import { DoorFigures } from './DoorTotals.tsx';
import { DevicesCard } from './devices/DevicesCard.tsx';
import styles from './door.module.css';
import { DoorGuide } from './guide/DoorGuide.tsx';
import { GuideCard } from './guide/GuideCard.tsx';
import { StaffEntryCard } from './PhoneSetupCard.tsx';
import { TicketTypesCard } from './TicketTypesCard.tsx';
import type { PublicFacts } from './use-public-event.ts';

interface DoorsProps {
  eventId: string;
  view: DoorView;
  facts: PublicFacts | null;
  onChanged: () => void;
}

export function Doors({ eventId, view, facts, onChanged }: DoorsProps) {
  const [isChangingCode, setIsChangingCode] = useState(false);
  const [hasCode, setHasCode] = useState(false);
  const [isShown, setIsShown] = useState(false);
  // What is needed before the doors open stands first then, and stays there: nothing jumps when the first guest comes.
  const [isBefore] = useState(view.devices.length === 0);
  const scannerUrl = `${location.origin}/scanner?event=${encodeURIComponent(eventId)}`;
  useStaffAnchor();

  const ready = (
    <div className={styles.halves}>
      <StaffEntryCard
        scannerUrl={scannerUrl}
        attendantCode={view.attendantCode}
        onChangeCode={() => setIsChangingCode(true)}
      />
      <GuideCard hasCode={hasCode} onCode={setHasCode} isShown={isShown} onShow={setIsShown} />
    </div>
  );

  return (
    <>
      {facts && <HowItStands is={facts.is} />}
      <FindingBanners findings={view.findings} />
      <DoorFigures view={view} />
      {isBefore && ready}
      <FindingsCard view={view} />
      <div className={styles.columns}>
        <ArrivalsCard view={view} />
        <TicketTypesCard counts={view.counts} />
      </div>
      <DevicesCard eventId={eventId} view={view} onChanged={onChanged} />
      {!isBefore && ready}
      <DoorGuide
        title={view.title}
        event={facts?.event ?? null}
        scannerUrl={scannerUrl}
        attendantCode={hasCode ? view.attendantCode : null}
        isShown={isShown}
      />
      {isChangingCode && (
        <ChangeCodeDialog
          event={{ eventId, title: view.title }}
          onClose={() => setIsChangingCode(false)}
          onCodeChanged={onChanged}
        />
      )}
    </>
  );
}

function HowItStands({ is }: { is: PublicFacts['is'] }) {
  if (is === 'cancelled')
    return (
      <Banner kind="error" title={eventCancelled}>
        The door lets nobody in.
      </Banner>
    );
  if (is === 'over') return <Banner title={eventEnded}>This is how the evening went.</Banner>;
  return null;
}

/** The link from the profile leads to a part of a screen that is drawn only now. */
function useStaffAnchor() {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === '#staff') document.getElementById('staff')?.scrollIntoView({ block: 'center' });
  }, [hash]);
}
