import { Suspense, useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { deleteDraft, takeDownEvent } from '#contract/app/sales/event-life.ts';
import { type Access, isAllowed } from '#domain/accounts/roles.ts';
import { irreversible } from '#messages/pages.ts';
import { lifeActions as text } from '#messages/sales/event-life.ts';
import { call } from '#web/api.ts';
import { useDuplicate } from '#web/profile/home/use-duplicate.ts';
import { lazyScreen } from '#web/shell/lazy-screen.tsx';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { ConfirmDialog } from '#web/ui/dialog/ConfirmDialog.tsx';
import styles from './LifeActions.module.css';

const publishing = lazyScreen(() => import('./PublishDialog.tsx'));

interface LifeActionsProps {
  access: Access;
  event: OrganizerEvent;
  onChanged: () => Promise<void>;
}

/** From a draft to a published event and back, and to the next one. Only what the member's role permits. */
export function LifeActions({ access, event, onChanged }: LifeActionsProps) {
  const [open, setOpen] = useState<'publish' | 'take-down' | 'delete' | null>(null);
  const { isBusy: isDuplicating, duplicate } = useDuplicate(event, onChanged);
  const { eventId, title, isDraft } = event;
  const mayEdit = isAllowed(access, 'event.edit');
  const isUnsold = event.ticketsSold === 0 && event.tickets.every(({ reserved }) => reserved === 0);

  return (
    <div className={styles.actions}>
      {isDraft && (
        <ButtonLink kind="ghost" href={event.eventUrl}>
          {text.preview}
        </ButtonLink>
      )}
      {isDraft && mayEdit && <Button onClick={() => setOpen('publish')}>{text.publish}</Button>}
      {isAllowed(access, 'event.create') && (
        <Button kind="ghost" busy={isDuplicating} onClick={duplicate}>
          {text.duplicate}
        </Button>
      )}
      {isDraft && mayEdit && (
        <Button kind="danger" onClick={() => setOpen('delete')}>
          {text.deleteDraft}
        </Button>
      )}
      {!isDraft && !event.isCancelled && isUnsold && mayEdit && (
        <Button kind="ghost" onClick={() => setOpen('take-down')}>
          {text.takeDown}
        </Button>
      )}
      {open === 'publish' && (
        <Suspense>
          <publishing.Component event={event} onPublished={onChanged} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      {open === 'take-down' && (
        <ConfirmDialog
          title={text.takeDown}
          why={text.takeDownMeans}
          confirm={text.takeDown}
          cancel={text.keep}
          send={() => call(takeDownEvent, { eventId })}
          onDone={onChanged}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={text.deleteDraft}
          why={`${text.deleteMeans(title)} ${irreversible}`}
          confirm={text.deleteDraft}
          cancel={text.keepDraft}
          send={() => call(deleteDraft, { eventId })}
          onDone={onChanged}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  );
}
