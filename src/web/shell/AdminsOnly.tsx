import { type ReactNode, useState } from 'react';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx';
import { usePageTitle } from '#web/ui/page/page-title.ts';
import { isAdmin } from './session-token.ts';

/** The token only decides what to render. The server checks admin rights on every call. */
export function AdminsOnly({ title, children }: { title: string; children: ReactNode }) {
  const [admin] = useState(isAdmin);
  return admin ? children : <Denied title={title} />;
}

function Denied({ title }: { title: string }) {
  usePageTitle(title);
  return (
    <EmptyState title="For admins only" level={1} actions={<ButtonLink to="/login">Log in</ButtonLink>}>
      Log in with an admin account to see this page.
    </EmptyState>
  );
}
