import type { PublicEvent, TicketType } from '#contract/app/events.ts';
import { formatCents } from '#messages/format.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { QuantityStepper } from '#web/ui/form/QuantityStepper.tsx';
import { CheckoutButton, type CheckoutButtonProps } from '../checkout/CheckoutButton.tsx';
import styles from './cart.module.css';
import { type CartLine, maxQuantity } from './cart.ts';

interface CartLinesProps {
  event: Pick<PublicEvent, 'maxPerOrder'>;
  lines: readonly CartLine[];
  /** Of each line. */
  cents: readonly number[];
  totalCents: number;
  onChange: (ticket: TicketType, quantity: number) => void;
}

interface CartPanelProps extends CartLinesProps {
  onClear: () => void;
  checkout: CheckoutButtonProps;
}

export function CartPanel({ onClear, checkout, ...cart }: CartPanelProps) {
  if (cart.lines.length === 0) return <p className={styles.emptyCart}>Your cart is empty.</p>;

  return (
    <section className={styles.cart} aria-labelledby="cart">
      <CartLines {...cart} />
      <div className={styles.cartActions}>
        <span className={styles.wideOnly}>
          <CheckoutButton {...checkout} />
        </span>
        <Button kind="ghost" onClick={onClear}>
          Clear Cart
        </Button>
      </div>
    </section>
  );
}

export function CartLines({ event, lines, cents, totalCents, onChange }: CartLinesProps) {
  return (
    <>
      <h2 id="cart">Your cart</h2>
      <ul className={styles.cartLines}>
        {lines.map((line, index) => (
          <li key={line.ticketName}>
            <span className={styles.lineName}>{line.ticketName}</span>
            <QuantityStepper
              label={line.ticketName}
              quantity={line.quantity}
              min={0}
              max={maxQuantity(line, event)}
              onChange={(quantity) => onChange(line, quantity)}
            />
            <span className={styles.linePrice}>{formatCents(cents[index] ?? 0)}</span>
          </li>
        ))}
      </ul>
      <p className={styles.total}>
        <span>Total</span>
        <strong>{formatCents(totalCents)}</strong>
      </p>
    </>
  );
}
