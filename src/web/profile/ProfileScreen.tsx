import { Suspense, useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { type Action, isAllowed } from '#domain/accounts/roles.ts';
import { suspended, suspendedWhy } from '#messages/operations/brakes.ts';
import { lazyScreen } from '#web/shell/lazy-screen.tsx';
import { useLoadEarly } from '#web/shell/use-load-early.ts';
import { PagePaletteButton } from '#web/shell/workspace/PaletteButton.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { useAnchor } from '#web/ui/page/use-anchor.ts';
import { AccountSection } from './account/AccountSection.tsx';
import { OrganizationSwitch } from './account/OrganizationSwitch.tsx';
import { DisputedPayments } from './disputes/DisputedPayments.tsx';
import { EventsSection } from './events/EventsSection.tsx';
import { SalesTiles } from './events/SalesTiles.tsx';
import { useAskedDialog } from './home/use-asked-dialog.ts';
import { OnboardingChecklist } from './onboarding/OnboardingChecklist.tsx';
import type { OpenDialog } from './ProfileDialog.tsx';
import { ProfileLoading } from './ProfileLoading.tsx';
import styles from './ProfileScreen.module.css';
import { AccountTrouble } from './payouts/AccountTrouble.tsx';
import { PayoutAccountCheck } from './payouts/PayoutAccountCheck.tsx';
import { usePayoutReturn } from './payouts/use-payout-return.ts';
import { TeamStatus } from './TeamStatus.tsx';
import { type Profile, useProfile } from './use-profile.ts';

/** Loaded once the page is used: they are half of its code. */
const dialogs = lazyScreen(() => import('./ProfileDialog.tsx'));

export function ProfileScreen() {
  const { organizer, isFailed, reload, opened, toggleCard } = useProfile();
  usePayoutReturn(organizer);
  // One state for all dialogs, so at most one is open and closing it resets everything.
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const isLoaded = organizer !== null;
  useLoadEarly(dialogs.load, isLoaded);
  useAskedDialog({ organizer, onAsked: setOpenDialog });
  useAnchor(isLoaded);
  const may = (action: Action) => organizer !== null && isAllowed(organizer.access, action);
  const openCreateEvent = () => setOpenDialog({ is: 'create-event' });
  const openAccountInformation = () => setOpenDialog({ is: 'account-information' });

  return (
    <Page title="Your events" heading={null} className={styles.screen}>
      <header className={styles.head}>
        <div className={styles.text}>
          {organizer && <OrganizationSwitch name={organizer.organizationName ?? organizer.email} />}
          <h1 tabIndex={-1}>Your events</h1>
        </div>
        <div className={styles.actions}>
          {organizer && <PagePaletteButton />}
          {may('event.create') && (
            <Button kind="gold" onClick={openCreateEvent}>
              Create Event
            </Button>
          )}
        </div>
      </header>

      {!organizer && <ProfileLoading isFailed={isFailed} onRetry={reload} />}
      {organizer && (
        <>
          {organizer.suspended && (
            <Banner kind="error" title={suspended}>
              {suspendedWhy(organizer.suspended.reason)}
            </Banner>
          )}
          {may('payout-account.manage') && organizer.accountTrouble && (
            <AccountTrouble trouble={organizer.accountTrouble} />
          )}
          {may('payout-account.manage') && organizer.isPayoutAccountUnconfirmed && (
            <PayoutAccountCheck onConfirmed={reload} />
          )}
          <DisputedPayments disputes={organizer.disputes} onSaved={reload} />
          {may('organization.identify') ? (
            <OnboardingChecklist
              organizer={organizer}
              onUpdateDetails={openAccountInformation}
              onCreateEvent={openCreateEvent}
            />
          ) : (
            <TeamStatus organizer={organizer} />
          )}
          {organizer.events.length > 0 && <SalesTiles {...organizer.sales} />}
          <EventsSection
            access={organizer.access}
            events={organizer.events}
            isAccountUnconfirmed={organizer.isPayoutAccountUnconfirmed}
            opened={opened}
            onToggle={toggleCard}
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
        <Suspense>
          <dialogs.Component
            open={openDialog}
            organizer={opened ? withEvent(organizer, opened) : organizer}
            onClose={() => setOpenDialog(null)}
            onChanged={reload}
          />
        </Suspense>
      )}
    </Page>
  );
}

/** With an event that is beyond its first ones. */
const withEvent = (organizer: Profile, event: OrganizerEvent): Profile => ({
  ...organizer,
  events: [...organizer.events.filter(({ eventId }) => eventId !== event.eventId), event],
});

export { ProfileScreen as Component };
