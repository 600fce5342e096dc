import { Icon } from '#web/ui/icons/Icon.tsx';
import text from '#web/ui/styles/text.module.css';
import styles from './QuantityStepper.module.css';

/** Minus button, number, plus button. `label` names the item. */
export function QuantityStepper({
  label,
  quantity,
  min = 0,
  max,
  onChange,
}: {
  label: string;
  quantity: number;
  min?: number;
  max?: number | undefined;
  onChange: (quantity: number) => void;
}) {
  const isLeast = quantity <= min;
  const isMost = max !== undefined && quantity >= max;
  // aria-disabled keeps the focus when the limit is reached.
  return (
    <div className={styles.stepper} role="group" aria-label={`Quantity of ${label}`}>
      <button type="button" aria-disabled={isLeast || undefined} onClick={() => !isLeast && onChange(quantity - 1)}>
        <Icon name="minus" size={18} />
        <span className={text.srOnly}>One less {label}</span>
      </button>
      <output className={styles.count}>{quantity}</output>
      <button type="button" aria-disabled={isMost || undefined} onClick={() => !isMost && onChange(quantity + 1)}>
        <Icon name="plus" size={18} />
        <span className={text.srOnly}>One more {label}</span>
      </button>
    </div>
  );
}
