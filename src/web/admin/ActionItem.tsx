import { useState } from 'react';
import { type ActionItem as Item, type OperatorAction, operatorActions } from '#contract/app/action-items.ts';
import { formatCents } from '#messages/format.ts';
import { actionItemMessages, operatorActionMessages } from '#messages/operator.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import { ActionDialog } from './ActionDialog.tsx';
import styles from './ActionItems.module.css';

/** An action item: what, where, since when, amount, reason and available actions. */
export function ActionItem({ item, onActed }: { item: Item; onActed: () => Promise<void> }) {
  const [action, setAction] = useState<OperatorAction | null>(null);
  const { what, advice } = actionItemMessages[item.kind];
  const actions = operatorActions[item.kind];
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <h3>{what}</h3>
        {item.cents !== null && <p className={styles.amount}>{formatCents(item.cents)}</p>}
      </div>
      <p className={styles.source}>
        {item.event && (
          <>
            <a href={`/payment/${item.event.eventId}`}>{item.event.title}</a>
            {item.event.organization && `, ${item.event.organization}`}
            {'. '}
          </>
        )}
        Since <time dateTime={item.since}>{formatShort(item.since, timeZone)}</time>.
      </p>
      {item.why && <p className={styles.reason}>{item.why}</p>}
      {item.buyerEmail && <p className={styles.source}>Buyer: {item.buyerEmail}</p>}
      <p className={styles.advice}>{advice}</p>
      {actions.length > 0 && (
        <div className={styles.actions}>
          {actions.map((each) => (
            <Button key={each} kind="ghost" onClick={() => setAction(each)}>
              {operatorActionMessages[each].label}
            </Button>
          ))}
        </div>
      )}
      {action && <ActionDialog action={action} item={item} onClose={() => setAction(null)} onActed={onActed} />}
    </li>
  );
}
