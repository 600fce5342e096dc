import { noActionItems } from '#messages/operator.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { ActionItem } from './ActionItem.tsx';
import styles from './ActionItems.module.css';
import type { OperatorView } from './use-operator-view.ts';

/** Action items, oldest first. */
export function ActionItems({
  actionItems,
  isAllClear,
  onActed,
}: {
  actionItems: OperatorView['actionItems'];
  /** Whether nothing else waits for the operator. */
  isAllClear: boolean;
  onActed: () => Promise<void>;
}) {
  const { items, total } = actionItems;
  if (total === 0) return isAllClear ? <Banner kind="success" title={noActionItems} /> : null;
  return (
    <section className={styles.section} aria-labelledby="action-items">
      <h2 id="action-items">Needs attention ({total.toLocaleString('en-US')})</h2>
      <p className={styles.count}>
        {items.length < total ? `Showing the oldest ${items.length.toLocaleString('en-US')}.` : 'Oldest first.'}
      </p>
      <ul className={styles.items}>
        {items.map((item) => (
          <ActionItem key={`${item.kind} ${item.subject}`} item={item} onActed={onActed} />
        ))}
      </ul>
    </section>
  );
}
