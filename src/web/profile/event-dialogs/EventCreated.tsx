import { useNavigate } from 'react-router';
import type { createEvent, OrganizerEvent } from '#contract/app/events.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { overview } from '#messages/records/overview.ts';
import styles from '#web/profile/event-form/totals.module.css';
import { CopyLink } from '#web/profile/events/CopyLink.tsx';
import { salesStartNote } from '#web/profile/events/event-totals.ts';
import { addPhotosAt } from '#web/shell/workspace/addresses.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { CopyButton } from '#web/ui/button/CopyButton.tsx';
import { Stamp } from '#web/ui/ticket/Stamp.tsx';

export type CreatedEvent = ReplyOf<typeof createEvent> & Pick<OrganizerEvent, 'timezone'>;

interface EventCreatedProps {
  created: CreatedEvent;
  onClose: () => void;
}

export function EventCreated({ created, onClose }: EventCreatedProps) {
  const navigate = useNavigate();
  const salesStart = salesStartNote(created, new Date());
  return (
    <div className={styles.created}>
      <p>{salesStart ?? "You're live!"} Share the link with your crowd and the code with your door crew.</p>
      <div className={styles.facts}>
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
        <Stamp
          text={salesStart ? 'SCHEDULED' : 'ON SALE'}
          tone={salesStart ? 'blue' : 'green'}
          size={104}
          className={styles.stamp}
        />
      </div>
      <div className={styles.choices}>
        <Button
          kind="gold"
          onClick={() => {
            onClose();
            void navigate(addPhotosAt(created.eventId));
          }}
        >
          {overview.needs.photos.action}
        </Button>
        <Button kind="ghost" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}
