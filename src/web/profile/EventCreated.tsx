import type { ReplyOf } from '#contract/endpoint.ts';
import type { createEvent } from '#contract/events.ts';
import { Button } from '#web/ui/Button.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { Stamp } from '#web/ui/Stamp.tsx';
import { CopyLink } from './CopyLink.tsx';
import styles from './EventForm.module.css';

interface EventCreatedProps {
  created: ReplyOf<typeof createEvent>;
  onClose: () => void;
}

export function EventCreated({ created, onClose }: EventCreatedProps) {
  return (
    <div className={styles.created}>
      <p>Tickets are on sale. Share the link with your buyers, and the code with the people at the door.</p>
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
      <Stamp text="ON SALE" size={104} className={styles.stamp} />
    </div>
  );
}
