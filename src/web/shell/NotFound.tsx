import { lostTickets } from '#messages/contacts.ts';
import { notFoundPage, pageNotFound } from '#messages/pages.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx';
import { usePageTitle } from '#web/ui/page/page-title.ts';

export function NotFound() {
  usePageTitle(pageNotFound);
  return (
    <EmptyState
      title={notFoundPage}
      level={1}
      actions={
        <>
          <ButtonLink to="/">Home</ButtonLink>
          <ButtonLink kind="ghost" to="/find-tickets">
            {lostTickets}
          </ButtonLink>
        </>
      }
    >
      Check the link, or head home.
    </EmptyState>
  );
}

export { NotFound as Component };
