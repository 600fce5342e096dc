import { useState } from 'react';
import { welcomeAdmin } from '#messages/operator.ts';
import { auditPage } from '#messages/records/audit.ts';
import { isAdmin } from '#web/shell/session-token.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { usePageTitle } from '#web/ui/page/page-title.ts';
import { Overview } from './Overview.tsx';
import { ViewAs } from './ViewAs.tsx';

/** The token only decides what to render. The server checks admin rights on every call. */
export function DashboardScreen() {
  const [admin] = useState(isAdmin);
  if (!admin) return <ForAdmins />;
  return (
    <Page
      title="Dashboard"
      heading={welcomeAdmin}
      actions={<ButtonLink to="/dashboard/audit">{auditPage.title}</ButtonLink>}
    >
      <Overview />
      <ViewAs />
    </Page>
  );
}

function ForAdmins() {
  usePageTitle('Dashboard');
  return (
    <EmptyState title="For admins only" level={1} actions={<ButtonLink to="/login">Log in</ButtonLink>}>
      Log in with an admin account to see this page.
    </EmptyState>
  );
}

export { DashboardScreen as Component };
