import type { WebhookEndpoint } from '#contract/app/programs/webhooks.ts';
import { webhooksPage as text } from '#messages/programs/webhooks.ts';
import { Chip } from '#web/ui/data/Chip.tsx';
import { momentOf } from './moment.ts';
import styles from './webhooks.module.css';

const tones = { live: 'ok', failing: 'bad', ended: 'off' } as const;

/** Whether it works, since when it doesn't, and what waits for it. */
export function Health({ of: { state, failingSince, deliveredAt, endReason, waiting } }: { of: WebhookEndpoint }) {
  const isNew = state === 'live' && deliveredAt === null;
  const since = failingSince !== null && state === 'failing' ? text.failingSince(momentOf(failingSince)) : null;
  const last = deliveredAt === null ? text.notYet : text.lastDelivered(momentOf(deliveredAt));
  return (
    <span className={styles.health}>
      {isNew ? <Chip tone="note">{text.ready}</Chip> : <Chip tone={tones[state]}>{text.state[state]}</Chip>}
      <span className={styles.quiet}>
        {[endReason === null ? (since ?? last) : text.endReason[endReason], waiting > 0 && text.waiting(waiting)]
          .filter(Boolean)
          .join(', ')}
      </span>
    </span>
  );
}
