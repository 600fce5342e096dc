import { welcomeAdmin } from '#messages/operator.ts';
import { auditPage } from '#messages/records/audit.ts';
import { planTexts } from '#messages/records/plans.ts';
import { AdminsOnly } from '#web/shell/AdminsOnly.tsx';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { EndSessions } from './EndSessions.tsx';
import { FactorOffer } from './FactorOffer.tsx';
import { Overview } from './Overview.tsx';
import { Search } from './search/Search.tsx';
import { ViewAs } from './ViewAs.tsx';

export function DashboardScreen() {
  return (
    <AdminsOnly title="Dashboard">
      <Dashboard />
    </AdminsOnly>
  );
}

function Dashboard() {
  return (
    <Page
      title="Dashboard"
      heading={welcomeAdmin}
      actions={
        <>
          <ButtonLink kind="ghost" to="/dashboard/plans">
            {planTexts.title}
          </ButtonLink>
          <ButtonLink to="/dashboard/audit">{auditPage.title}</ButtonLink>
        </>
      }
    >
      <FactorOffer />
      <Search />
      <Overview />
      <ViewAs />
      <EndSessions />
    </Page>
  );
}

export { DashboardScreen as Component };
