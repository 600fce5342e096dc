import { formatCents } from '#messages/format.ts';
import { moneyMessages } from '#messages/operator.ts';
import { Chip } from '#web/ui/data/Chip.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import styles from './Overview.module.css';
import type { OperatorView } from './use-operator-view.ts';

type Totals = OperatorView['money'];

/** Balances. Liabilities and revenue exist in the ledger only. */
export function Money({ money }: { money: Totals }) {
  return (
    <section className={styles.money} aria-labelledby="money">
      <h2 id="money">Money</h2>
      <Reconciliation money={money} />
      <dl className={styles.accounts}>
        {rowsOf(money).map(([label, cents]) => (
          <div key={label} className={styles.account}>
            <dt>{label}</dt>
            <dd>{formatCents(cents)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Reconciliation({ money }: { money: Totals }) {
  const { reconciledAt } = money;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (!reconciledAt) return <p>{moneyMessages.never}</p>;
  const outcome = reconciliationState(money);
  return (
    <p className={styles.compared}>
      <Chip tone={TONES[outcome]}>{moneyMessages[outcome]}</Chip>
      <span>Last reconciled {formatShort(reconciledAt, timeZone)}.</span>
    </p>
  );
}

const TONES = { agree: 'ok', disagree: 'bad', behind: 'note' } as const;

/** Sales since the last reconciliation are only in our ledger; they are not a discrepancy. */
function reconciliationState({ openDiscrepancies, clearing, provider }: Totals): keyof typeof TONES {
  if (openDiscrepancies > 0) return 'disagree';
  return clearing === provider ? 'agree' : 'behind';
}

/** Subtracted from 0, because negating zero would format as -$0.00. */
const rowsOf = (money: Totals): (readonly [label: string, cents: number])[] => [
  ['Stripe balance, our ledger', money.clearing],
  ['Stripe balance, Stripe', money.provider],
  ['Unrelated Stripe activity', money.providerOther],
  ['Owed to organizers', money.organizers],
  ['Owed to buyers', money.buyers],
  ['Owed by organizers', money.receivables],
  ['On hold for disputes', money.disputed],
  ['Platform fees', money.platformFees],
  ['Card fees', 0 - money.cardFees],
  ['Dispute costs', 0 - money.disputeCosts],
  ['Written off', 0 - money.writeOffs],
  ['Margin', money.margin],
];
