import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { type CheckInDashboard } from '#contract/app/check-in-devices.ts';
import { eventCancelled, eventEnded } from '#messages/sales/event-page.ts';
import { ChangeCodeDialog } from '#web/ui/dialog/ChangeCodeDialog.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { ArrivalsCard } from './arrivals/ArrivalsCard.tsx';
import { SyncConflictBanners, SyncConflictsCard } from './conflicts/SyncConflicts.tsx';
import { DoorTotals } from './DoorTotals.tsx';
import { DevicesCard } from './devices/DevicesCard.tsx';
import styles from './door.module.css';
import { DoorGuide } from './guide/DoorGuide.tsx';
import { GuideCard } from './guide/GuideCard.tsx';
import { PhoneSetupCard } from './PhoneSetupCard.tsx';
import { TicketTypesCard } from './TicketTypesCard.tsx';
import type { PublicEventState } from './use-public-event.ts';

interface DoorDashboardProps {
  eventId: string;
  view: CheckInDashboard;
  publicEvent: PublicEventState | null;
  onChanged: () => void;
}

export function DoorDashboard({ eventId, view, publicEvent, onChanged }: DoorDashboardProps) {
  const [isChangingCode, setIsChangingCode] = useState(false);
  const [printsCode, setPrintsCode] = useState(false);
  const [isShown, setIsShown] = useState(false);
  // Setup goes first until a device checks in, and stays there, so that nothing jumps when the first one does.
  const [hasNoDevices] = useState(view.devices.length === 0);
  const scannerUrl = `${location.origin}/scanner?event=${encodeURIComponent(eventId)}`;
  useScrollToPhoneSetup();

  const setup = (
    <div className={styles.halves}>
      <PhoneSetupCard
        scannerUrl={scannerUrl}
        attendantCode={view.attendantCode}
        onChangeCode={() => setIsChangingCode(true)}
      />
      <GuideCard printsCode={printsCode} onPrintsCode={setPrintsCode} isShown={isShown} onShow={setIsShown} />
    </div>
  );

  return (
    <>
      {publicEvent && <EventStatusBanner status={publicEvent.status} />}
      <SyncConflictBanners conflicts={view.conflicts} />
      <DoorTotals view={view} />
      {hasNoDevices && setup}
      <SyncConflictsCard view={view} />
      <div className={styles.columns}>
        <ArrivalsCard view={view} />
        <TicketTypesCard counts={view.counts} />
      </div>
      <DevicesCard eventId={eventId} view={view} onChanged={onChanged} />
      {!hasNoDevices && setup}
      <DoorGuide
        title={view.title}
        event={publicEvent?.event ?? null}
        scannerUrl={scannerUrl}
        hasAddOns={view.counts.some(({ isAddOn }) => isAddOn)}
        attendantCode={printsCode ? view.attendantCode : null}
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

function EventStatusBanner({ status }: { status: PublicEventState['status'] }) {
  if (status === 'cancelled')
    return (
      <Banner kind="error" title={eventCancelled}>
        Tickets no longer scan.
      </Banner>
    );
  if (status === 'ended') return <Banner title={eventEnded}>Here's how it went.</Banner>;
  return null;
}

/** Scrolls to `#staff` once it is rendered; the browser looks for it too early. */
function useScrollToPhoneSetup() {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === '#staff') document.getElementById('staff')?.scrollIntoView({ block: 'center' });
  }, [hash]);
}
