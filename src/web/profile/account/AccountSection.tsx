import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { logout } from '#contract/app/accounts.ts';
import { myRecordsFile } from '#contract/app/privacy.ts';
import { leaveOrganization } from '#contract/app/team.ts';
import { type Action, isAllowed } from '#domain/accounts/roles.ts';
import { roleNames, teamPage } from '#messages/accounts/team.ts';
import { unknownError } from '#messages/pages.ts';
import { accountDeletion } from '#messages/privacy.ts';
import { activityPage } from '#messages/records/audit.ts';
import { fundsPage } from '#messages/records/funds.ts';
import { pageSettings } from '#messages/sales/page-settings.ts';
import { securityPage } from '#messages/security.ts';
import { call, messageFrom } from '#web/api.ts';
import { openPayoutDashboard, openPayoutSetup } from '#web/profile/payouts/payout-account.ts';
import type { Profile } from '#web/profile/use-profile.ts';
import { preserveTheme } from '#web/shell/theme.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { ConfirmDialog } from '#web/ui/dialog/ConfirmDialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { downloadFile } from '#web/ui/page/download-file.ts';
import styles from './AccountSection.module.css';
import { UnsyncedScansDialog } from './UnsyncedScansDialog.tsx';
import { countUnsyncedScans } from './unsynced-scans.ts';

interface AccountSectionProps {
  organizer: Profile;
  onUpdate: () => void;
  onAffiliateProgram: () => void;
  onDeleteAccount: () => void;
}

export function AccountSection({ organizer, onUpdate, onAffiliateProgram, onDeleteAccount }: AccountSectionProps) {
  const navigate = useNavigate();
  const [busyWith, setBusyWith] = useState<'setup' | 'dashboard' | 'logout' | null>(null);

  const may = (action: Action) => isAllowed(organizer.access, action);
  const [isLeaving, setIsLeaving] = useState(false);
  const [atRisk, setAtRisk] = useState<{ unsynced: number; proceed: () => void } | null>(null);

  /** Logging out and deleting the account both clear this browser's storage. */
  async function confirmIfUnsynced(proceed: () => void) {
    const unsynced = await countUnsyncedScans();
    if (unsynced === 0) proceed();
    else setAtRisk({ unsynced, proceed });
  }

  async function run(way: NonNullable<typeof busyWith>, go: () => Promise<void>) {
    setBusyWith(way);
    await go();
    setBusyWith(null);
  }

  async function logOut() {
    try {
      await call(logout, {});
      // The server clears its own cookies. This one is readable by scripts, so clear it here too.
      document.cookie = 'token=; Path=/; Max-Age=0';
      preserveTheme();
      void navigate('/login');
    } catch (error) {
      toast.error(`Logout failed: ${messageFrom(error, unknownError)}`);
    }
  }

  const startLogOut = () => void run('logout', logOut);

  return (
    <section className={styles.card} id="account" aria-labelledby="account-title">
      <h2 id="account-title">Account</h2>
      <dl className={styles.details}>
        <div>
          <dt>Organization name</dt>
          <dd>{organizer.organizationName ?? 'Not set yet'}</dd>
        </div>
        <div>
          <dt>Bio</dt>
          <dd>{organizer.organizationBio ?? 'Not set yet'}</dd>
        </div>
        <div>
          <dt>{teamPage.role}</dt>
          <dd>{roleNames[organizer.access.role]}</dd>
        </div>
        <div>
          <dt>Email</dt>
          <dd>{organizer.email}</dd>
          <dd>
            <Link to="/change-email" className={styles.change}>
              Change Email
            </Link>
            <Link to="/organization/security" className={styles.change}>
              {securityPage.title}
            </Link>
            {may('member.view') && (
              <Link to="/organization/team" className={styles.change}>
                {teamPage.title}
              </Link>
            )}
            {may('organization-page.edit') && (
              <Link to="/organization/page" className={styles.change}>
                {pageSettings.title}
              </Link>
            )}
            {may('payout.view') && (
              <Link to="/organization/funds" className={styles.change}>
                {fundsPage.title}
              </Link>
            )}
            {may('audit.view') && (
              <Link to="/organization/activity" className={styles.change}>
                {activityPage.title}
              </Link>
            )}
          </dd>
        </div>
      </dl>
      <div className={styles.actions}>
        {may('organization.identify') && (
          <span className={organizer.organizationName ? undefined : styles.flash}>
            <Button onClick={onUpdate}>Update Info</Button>
          </span>
        )}
        {may('payout-account.manage') && (
          <>
            <Button kind="ghost" busy={busyWith === 'setup'} onClick={() => run('setup', openPayoutSetup)}>
              Connect Stripe
            </Button>
            <Button kind="ghost" busy={busyWith === 'dashboard'} onClick={() => run('dashboard', openPayoutDashboard)}>
              Stripe Dashboard
            </Button>
          </>
        )}
        {may('affiliate-code.generate') && (
          <Button kind="ghost" onClick={onAffiliateProgram}>
            Affiliate Program
          </Button>
        )}
        {/* Managers leave on the team's page. */}
        {!may('member.view') && (
          <Button kind="ghost" onClick={() => setIsLeaving(true)}>
            {teamPage.leave}
          </Button>
        )}
        <Button kind="ghost" busy={busyWith === 'logout'} onClick={() => confirmIfUnsynced(startLogOut)}>
          Logout
        </Button>
        <Button kind="ghost" onClick={() => downloadFile(myRecordsFile.path)}>
          {accountDeletion.download}
        </Button>
        <Button kind="ghost" onClick={() => confirmIfUnsynced(onDeleteAccount)}>
          {accountDeletion.remove}
        </Button>
      </div>
      {isLeaving && (
        <ConfirmDialog
          title={teamPage.leaveTitle}
          why={teamPage.leaveWhy}
          confirm={teamPage.leave}
          cancel={teamPage.stay}
          send={() => call(leaveOrganization, {})}
          onDone={() => location.assign('/profile')}
          onClose={() => setIsLeaving(false)}
        />
      )}
      {atRisk && (
        <UnsyncedScansDialog
          unsynced={atRisk.unsynced}
          onStay={() => setAtRisk(null)}
          onProceed={() => {
            setAtRisk(null);
            atRisk.proceed();
          }}
        />
      )}
    </section>
  );
}
