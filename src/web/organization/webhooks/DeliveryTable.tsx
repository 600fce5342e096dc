import type { WebhookDelivery } from '#contract/app/programs/webhooks.ts';
import { answerOf, webhookLog as text, typeNames } from '#messages/programs/webhooks.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { momentOf } from './moment.ts';
import styles from './webhooks.module.css';

const tones = { waiting: 'few', delivered: 'ok', failed: 'bad', dropped: 'off' } as const;

interface DeliveryTableProps {
  deliveries: readonly WebhookDelivery[];
  /** Null once the webhook has ended. */
  onSendAgain: ((delivery: WebhookDelivery) => void) | null;
}

export function DeliveryTable({ deliveries, onSendAgain }: DeliveryTableProps) {
  const columns: Column<WebhookDelivery>[] = [
    { label: text.when, cell: ({ occurredAt }) => momentOf(occurredAt) },
    {
      label: text.what,
      cell: ({ type }) => (
        <span className={styles.what}>
          {typeNames[type]} <code className={styles.quiet}>{type}</code>
        </span>
      ),
    },
    {
      label: text.result,
      cell: (delivery) => (
        <span className={styles.what}>
          <Chip tone={tones[delivery.state]}>{text.state[delivery.state]}</Chip>
          <History of={delivery} />
        </span>
      ),
    },
    { label: text.answer, cell: lastAnswer },
    ...(onSendAgain
      ? [
          {
            label: text.actions,
            quiet: true,
            cell: (delivery: WebhookDelivery) => (
              <Button
                kind="ghost"
                aria-label={text.sendAgainLabel(typeNames[delivery.type], momentOf(delivery.occurredAt))}
                onClick={() => onSendAgain(delivery)}
              >
                {text.sendAgain}
              </Button>
            ),
          },
        ]
      : []),
  ];
  return (
    <DataTable caption={text.caption} columns={columns} rows={deliveries} keyOf={({ deliveryId }) => deliveryId} />
  );
}

function History({ of: { attempts, nextAt } }: { of: WebhookDelivery }) {
  const parts = [attempts > 1 && text.attempts(attempts), nextAt !== null && text.nextAt(momentOf(nextAt))];
  const said = parts.filter((part) => part !== false).join(', ');
  return said === '' ? null : <span className={styles.quiet}>{said}</span>;
}

function lastAnswer(delivery: WebhookDelivery): string {
  const answer = answerOf(delivery);
  return answer === null ? text.noAnswer : text.answeredIn(answer, delivery.answerMs ?? 0);
}
