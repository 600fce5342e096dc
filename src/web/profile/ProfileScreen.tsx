import { useState } from 'react';
import { onboardingIncomplete } from '#contract/accounts.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Page } from '#web/ui/Page.tsx';
import { AccountInformationDialog } from './AccountInformationDialog.tsx';
import { AccountSection } from './AccountSection.tsx';
import { CreateEventDialog } from './CreateEventDialog.tsx';
import { EventsSection } from './EventsSection.tsx';
import { OnboardingChecklist } from './OnboardingChecklist.tsx';
import { ProfileLoading } from './ProfileLoading.tsx';
import styles from './ProfileScreen.module.css';
import { SalesTiles } from './SalesTiles.tsx';
import { usePayoutReturn } from './use-payout-return.ts';
import { useProfile } from './use-profile.ts';

/** At most one dialog of the profile is open. */
type OpenDialog = 'create-event' | 'account-information' | null;

export function ProfileScreen() {
  const { organizer, isFailed, reload } = useProfile();
  usePayoutReturn(organizer);
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const close = () => setOpenDialog(null);
  const openCreateEvent = () => setOpenDialog('create-event');
  const openAccountInformation = () => setOpenDialog('account-information');

  return (
    <Page title="Your events" heading={null} className={styles.screen}>
      <header className={styles.head}>
        <div className={styles.words}>
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
          <OnboardingChecklist
            organizer={organizer}
            onUpdateDetails={openAccountInformation}
            onCreateEvent={openCreateEvent}
          />
          {organizer.events.length > 0 && <SalesTiles events={organizer.events} />}
          <EventsSection events={organizer.events} onChanged={reload} />
          <AccountSection organizer={organizer} onUpdate={openAccountInformation} />
        </>
      )}

      {organizer && openDialog === 'create-event' && (
        <CreateEventDialog organizer={organizer} onClose={close} onCreated={reload} />
      )}
      {organizer && openDialog === 'account-information' && (
        <AccountInformationDialog organizer={organizer} onClose={close} onSaved={reload} />
      )}
    </Page>
  );
}

export { ProfileScreen as Component };
