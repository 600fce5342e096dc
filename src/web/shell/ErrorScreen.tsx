import { supportMailbox } from '#contract/contacts.ts';
import { screenNotLoaded } from '#contract/page-words.ts';
import { Button, ButtonLink } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { usePageTitle } from '#web/ui/page-title.ts';

const title = 'Unexpected Application Error!';

/**
 * The last net under every screen. React has written what broke to the console; the page never shows it.
 * With `onRetry` nothing is broken: the screen's code did not arrive, and can be loaded again.
 */
export function ErrorScreen({ onRetry }: { onRetry?: (() => void) | undefined }) {
  usePageTitle(title);

  return (
    <EmptyState
      title={title}
      level={1}
      actions={
        <>
          {onRetry ? (
            <Button onClick={onRetry}>Try again</Button>
          ) : (
            <Button onClick={() => location.reload()}>Reload</Button>
          )}
          {/* A full load: whatever broke in this page's memory is gone then. */}
          <ButtonLink href="/" kind="ghost">
            Home
          </ButtonLink>
        </>
      }
    >
      {onRetry ? (
        screenNotLoaded
      ) : (
        <>
          This page broke on our side. Reload it; if it breaks again, tell{' '}
          <a href={`mailto:${supportMailbox}`}>{supportMailbox}</a> what you were doing.
        </>
      )}
    </EmptyState>
  );
}
