import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { myRecordsFile } from '#contract/app/privacy.ts';
import { leaveOrganization } from '#contract/app/team.ts';
import { type Action, isAllowed } from '#domain/accounts/roles.ts';
import { roleNames, teamPage } from '#messages/accounts/team.ts';
import { accountDeletion } from '#messages/privacy.ts';
import { apiKeysPage } from '#messages/programs/api-keys-page.ts';
import { activityPage } from '#messages/records/audit.ts';
import { fundsPage } from '#messages/records/funds.ts';
import { payoutsPage } from '#messages/records/payouts-page.ts';
import { accountRows as text } from '#messages/records/top-bar.ts';
import { pageSettings } from '#messages/sales/page-settings.ts';
import { securityPage } from '#messages/security.ts';
import { call } from '#web/api.ts';
import { openPayoutDashboard, openPayoutSetup } from '#web/profile/payouts/payout-account.ts';
import type { Profile } from '#web/profile/use-profile.ts';
import { useLogOut } from '#web/shell/bar/use-log-out.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { ConfirmDialog } from '#web/ui/dialog/ConfirmDialog.tsx';
import { downloadFile } from '#web/ui/page/download-file.ts';
import styles from './AccountSection.module.css';

interface AccountSectionProps {
  organizer: Profile;
  onUpdate: () => void;
  onAffiliateProgram: () => void;
  onDeleteAccount: () => void;
}

/** A row per part of the account: what it is now, and how to change it. */
export function AccountSection({ organizer, onUpdate, onAffiliateProgram, onDeleteAccount }: AccountSectionProps) {
  const [busyWith, setBusyWith] = useState<'setup' | 'dashboard' | null>(null);
  const [isLeaving, setIsLeaving] = useState(false);
  const { isBusy: isLoggingOut, logOut, confirmIfUnsynced, question } = useLogOut();
  const may = (action: Action) => isAllowed(organizer.access, action);

  async function run(way: NonNullable<typeof busyWith>, go: () => Promise<void>) {
    setBusyWith(way);
    await go();
    setBusyWith(null);
  }

  return (
    <section className={styles.card} id="account" aria-labelledby="account-title">
      <h2 id="account-title">{text.title}</h2>
      <dl className={styles.rows}>
        <Row
          label={text.organization}
          value={organizer.organizationName ?? text.notSet}
          note={organizer.organizationBio}
          isWide
        >
          {may('organization-page.edit') && <Link to="/organization/page">{pageSettings.title}</Link>}
          {may('organization.identify') && (
            <span className={organizer.organizationName ? undefined : styles.flash}>
              <Button kind={organizer.organizationName ? 'ghost' : 'primary'} onClick={onUpdate}>
                Update Info
              </Button>
            </span>
          )}
        </Row>
        <Row id="payouts" label={text.payouts} value={payoutsOf(organizer)} isWide>
          {may('payout.view') && (
            <>
              <Link to="/money">{payoutsPage.all}</Link>
              <Link to="/organization/funds">{fundsPage.title}</Link>
            </>
          )}
          {may('payout-account.manage') && (
            <>
              <Button kind="ghost" busy={busyWith === 'setup'} onClick={() => run('setup', openPayoutSetup)}>
                Connect Stripe
              </Button>
              <Button
                kind="ghost"
                busy={busyWith === 'dashboard'}
                onClick={() => run('dashboard', openPayoutDashboard)}
              >
                Stripe Dashboard
              </Button>
            </>
          )}
        </Row>
        <Row label={text.email} value={organizer.email}>
          <Link to="/change-email">Change Email</Link>
        </Row>
        <Row label={text.password} value={text.passwordNote}>
          <Link to="/organization/security">{securityPage.title}</Link>
        </Row>
        <Row label={text.team} value={roleNames[organizer.access.role]}>
          {may('api-key.view') && <Link to="/organization/api">{apiKeysPage.title}</Link>}
          {may('audit.view') && <Link to="/organization/activity">{activityPage.title}</Link>}
          {may('member.view') ? (
            <Link to="/organization/team">{teamPage.title}</Link>
          ) : (
            <Button kind="ghost" onClick={() => setIsLeaving(true)}>
              {teamPage.leave}
            </Button>
          )}
        </Row>
        {may('affiliate-code.generate') && (
          <Row label={text.affiliate} value={text.affiliateNote}>
            <Button kind="ghost" onClick={onAffiliateProgram}>
              Affiliate Program
            </Button>
          </Row>
        )}
        <Row id="your-data" label={text.yourData} value={text.yourDataNote}>
          <Button kind="ghost" onClick={() => downloadFile(myRecordsFile.path)}>
            {accountDeletion.download}
          </Button>
        </Row>
        <Row label={text.logOut} value={text.logOutNote}>
          <Button kind="ghost" busy={isLoggingOut} onClick={logOut}>
            Logout
          </Button>
        </Row>
      </dl>
      <button type="button" className={styles.remove} onClick={() => confirmIfUnsynced(onDeleteAccount)}>
        {accountDeletion.remove}
      </button>
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
      {question}
    </section>
  );
}

const payoutsOf = ({ openSteps }: Profile) =>
  openSteps.includes('connect-payouts') ? text.notConnected : text.connected;

interface RowProps {
  id?: string;
  label: string;
  value: string;
  note?: string | null;
  /** It has more than one button. */
  isWide?: boolean;
  children: ReactNode;
}

function Row({ id, label, value, note, isWide = false, children }: RowProps) {
  return (
    <div id={id} className={isWide ? styles.wide : undefined}>
      <dt>{label}</dt>
      <dd>
        {value}
        {note && <span className={styles.note}>{note}</span>}
      </dd>
      <dd className={styles.actions}>{children}</dd>
    </div>
  );
}
