import { moneyWords } from '#contract/admin.ts';
import { formatCents } from '#domain/money.ts';
import { Chip } from '#web/ui/data/Chip.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import styles from './Overview.module.css';
import type { OperatorView } from './use-operator-view.ts';

type Figures = OperatorView['money'];

/** Where the money is. What is owed and what was earned is in the books alone. */
export function Money({ money }: { money: Figures }) {
  return (
    <section className={styles.money} aria-labelledby="money">
      <h2 id="money">Money</h2>
      <Compared money={money} />
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

function Compared({ money }: { money: Figures }) {
  const { reconciledAt } = money;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (!reconciledAt) return <p>{moneyWords.never}</p>;
  const outcome = outcomeOf(money);
  return (
    <p className={styles.compared}>
      <Chip tone={TONES[outcome]}>{moneyWords[outcome]}</Chip>
      <span>Last compared {formatShort(reconciledAt, timeZone)}.</span>
    </p>
  );
}

const TONES = { agree: 'ok', disagree: 'bad', behind: 'note' } as const;

/** What was sold since the last comparison is in our books only, and no difference. */
function outcomeOf({ openDifferences, clearing, provider }: Figures): keyof typeof TONES {
  if (openDifferences > 0) return 'disagree';
  return clearing === provider ? 'agree' : 'behind';
}

/** Costs are subtracted from 0, since a negative nothing would be written -$0.00. */
const rowsOf = (money: Figures): (readonly [label: string, cents: number])[] => [
  ['At the card company, by our books', money.clearing],
  ['At the card company, by its own', money.provider],
  ['There, but none of the product’s', money.providerOther],
  ['Owed to organizers', money.organizers],
  ['Owed to buyers', money.buyers],
  ['Owed by organizers', money.receivables],
  ['Held back in disputes', money.disputed],
  ['Platform fees', money.platformFees],
  ['Card fees', 0 - money.cardFees],
  ['Dispute costs', 0 - money.disputeCosts],
  ['Written off', 0 - money.writeOffs],
  ['Margin', money.margin],
];
