import type { createEvent, OrganizerEvent } from '#contract/app/events.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import styles from '#web/profile/event-form/totals.module.css';
import { CopyLink } from '#web/profile/events/CopyLink.tsx';
import { salesStartNote } from '#web/profile/events/event-totals.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { CopyButton } from '#web/ui/button/CopyButton.tsx';
import { Stamp } from '#web/ui/ticket/Stamp.tsx';

export type CreatedEvent = ReplyOf<typeof createEvent> & Pick<OrganizerEvent, 'timezone'>;

interface EventCreatedProps {
  created: CreatedEvent;
  onClose: () => void;
}

export function EventCreated({ created, onClose }: EventCreatedProps) {
  const salesStart = salesStartNote(created, new Date());
  return (
    <div className={styles.created}>
      <p>{salesStart ?? "You're live!"} Share the link with your crowd and the code with your door crew.</p>
      <dl className={styles.review}>
        <div>
          <dt>Event link</dt>
          <dd>
            <CopyLink url={created.eventUrl} />
          </dd>
        </div>
        <div>
          <dt>Attendant code</dt>
          <dd className={styles.code}>
            {created.attendantCode} <CopyButton text={created.attendantCode} label="Copy attendant code" />
          </dd>
        </div>
        <div>
          <dt>Fee waived</dt>
          <dd>{created.feeWaiveStatus ? 'Yes' : 'No'}</dd>
        </div>
      </dl>
      <Button onClick={onClose}>Done</Button>
      <Stamp
        text={salesStart ? 'SCHEDULED' : 'ON SALE'}
        tone={salesStart ? 'blue' : 'green'}
        size={104}
        className={styles.stamp}
      />
    </div>
  );
}
