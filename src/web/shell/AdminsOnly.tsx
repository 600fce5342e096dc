import { type ReactNode, useState } from 'react';
import { Button } from '#web/ui/button/Button.tsx';
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx';
import { usePageTitle } from '#web/ui/page/page-title.ts';
import { useLogIn } from '#web/ui/page/use-log-in.ts';
import { isAdmin } from './session-token.ts';

/** The token only decides what to render. The server checks admin rights on every call. */
export function AdminsOnly({ title, children }: { title: string; children: ReactNode }) {
  const [admin] = useState(isAdmin);
  return admin ? children : <Denied title={title} />;
}

function Denied({ title }: { title: string }) {
  const logIn = useLogIn();
  usePageTitle(title);
  return (
    <EmptyState title="For admins only" level={1} actions={<Button onClick={logIn}>Log in</Button>}>
      Log in with an admin account to see this page.
    </EmptyState>
  );
}
