import { supportMailbox } from '#messages/contacts.ts';
import { screenNotLoaded, serverSilent, tryingAgain } from '#messages/pages.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx';
import { usePageTitle } from '#web/ui/page/page-title.ts';
import { Ready } from './Ready.tsx';

const title = 'Unexpected Application Error!';

export interface Retry {
  state: 'possible' | 'running' | 'unanswered';
  start: () => void;
}

/**
 * Last-resort error screen. React logs the error to the console; the page never shows it. With `retry`, a code chunk
 * failed to load and can be requested again.
 */
export function ErrorScreen({ retry }: { retry?: Retry }) {
  usePageTitle(title);

  return (
    <EmptyState
      title={title}
      level={1}
      actions={
        <>
          {retry ? (
            <Button busy={retry.state === 'running'} onClick={retry.start}>
              Try again
            </Button>
          ) : (
            <Button onClick={() => location.reload()}>Reload</Button>
          )}
          {/* A full page load discards the broken state. */}
          <ButtonLink href="/" kind="ghost">
            Home
          </ButtonLink>
        </>
      }
    >
      {/* Replaces the whole frame, which would otherwise set its own title. */}
      <Ready />
      {retry ? (
        <p role="status">{retryMessages[retry.state]}</p>
      ) : (
        <>
          Something went wrong on our side. Reload the page. If it happens again, tell{' '}
          <a href={`mailto:${supportMailbox}`}>{supportMailbox}</a> what you were doing.
        </>
      )}
    </EmptyState>
  );
}

const retryMessages: Record<Retry['state'], string> = {
  possible: screenNotLoaded,
  running: tryingAgain,
  unanswered: serverSilent,
};
