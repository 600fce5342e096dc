import { supportMailbox } from '#contract/contacts.ts';
import { Button, ButtonLink } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { usePageTitle } from '#web/ui/page-title.ts';

const title = 'Unexpected Application Error!';

/** The last net under every screen. React has written what broke to the console; the page never shows it. */
export function ErrorScreen() {
  usePageTitle(title);

  return (
    <EmptyState
      title={title}
      level={1}
      actions={
        <>
          <Button onClick={() => location.reload()}>Reload</Button>
          {/* A full load: whatever broke in this page's memory is gone then. */}
          <ButtonLink href="/" kind="ghost">
            Home
          </ButtonLink>
        </>
      }
    >
      This page broke on our side. Reload it; if it breaks again, tell{' '}
      <a href={`mailto:${supportMailbox}`}>{supportMailbox}</a> what you were doing.
    </EmptyState>
  );
}
