import { useState } from 'react';
import { onboardingIncomplete } from '#messages/accounts.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { AccountSection } from './account/AccountSection.tsx';
import { EventsSection } from './events/EventsSection.tsx';
import { SalesTiles } from './events/SalesTiles.tsx';
import { OnboardingChecklist } from './onboarding/OnboardingChecklist.tsx';
import { type OpenDialog, ProfileDialog } from './ProfileDialog.tsx';
import { ProfileLoading } from './ProfileLoading.tsx';
import styles from './ProfileScreen.module.css';
import { PayoutAccountCheck } from './payouts/PayoutAccountCheck.tsx';
import { usePayoutReturn } from './payouts/use-payout-return.ts';
import { useProfile } from './use-profile.ts';

export function ProfileScreen() {
  const { organizer, isFailed, reload, loadMoreEvents } = useProfile();
  usePayoutReturn(organizer);
  // One state for all dialogs, so at most one is open and closing it resets everything.
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const openCreateEvent = () => setOpenDialog({ is: 'create-event' });
  const openAccountInformation = () => setOpenDialog({ is: 'account-information' });

  return (
    <Page title="Your events" heading={null} className={styles.screen}>
      <header className={styles.head}>
        <div className={styles.text}>
          {organizer && <p className={styles.eyebrow}>{organizer.organizationName ?? organizer.email}</p>}
          <h1 tabIndex={-1}>Your events</h1>
        </div>
        {organizer && (
          <Button kind="gold" onClick={openCreateEvent}>
            Create Event
          </Button>
        )}
      </header>

      {!organizer && <ProfileLoading isFailed={isFailed} onRetry={reload} />}
      {organizer && (
        <>
          {!organizer.organizationName && <Banner kind="warning">{onboardingIncomplete}</Banner>}
          {organizer.isPayoutAccountUnconfirmed && <PayoutAccountCheck onConfirmed={reload} />}
          <OnboardingChecklist
            organizer={organizer}
            onUpdateDetails={openAccountInformation}
            onCreateEvent={openCreateEvent}
          />
          {organizer.events.length > 0 && <SalesTiles {...organizer.sales} />}
          <EventsSection
            events={organizer.events}
            onMore={organizer.eventsNext === null ? null : loadMoreEvents}
            onOpen={(is, eventId) => setOpenDialog({ is, eventId })}
            onChanged={reload}
          />
          <AccountSection
            organizer={organizer}
            onUpdate={openAccountInformation}
            onAffiliateProgram={() => setOpenDialog({ is: 'affiliate-program' })}
            onDeleteAccount={() => setOpenDialog({ is: 'delete-account' })}
          />
        </>
      )}

      {organizer && openDialog && (
        <ProfileDialog open={openDialog} organizer={organizer} onClose={() => setOpenDialog(null)} onChanged={reload} />
      )}
    </Page>
  );
}

export { ProfileScreen as Component };
