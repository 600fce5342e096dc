import type { PublicEvent, TicketType } from '#contract/app/events.ts';
import { centsOf, formatCents } from '#domain/money.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { QuantityStepper } from '#web/ui/form/QuantityStepper.tsx';
import { CheckoutButton, type CheckoutButtonProps } from '../checkout/CheckoutButton.tsx';
import styles from './cart.module.css';
import { type CartLine, maxQuantity, totalCents } from './cart.ts';

interface CartPanelProps {
  event: Pick<PublicEvent, 'maxPerOrder'>;
  lines: readonly CartLine[];
  onChange: (ticket: TicketType, quantity: number) => void;
  onClear: () => void;
  checkout: CheckoutButtonProps;
}

export function CartPanel({ event, lines, onChange, onClear, checkout }: CartPanelProps) {
  if (lines.length === 0) return <p className={styles.emptyCart}>Your cart is empty.</p>;

  return (
    <section className={styles.cart} aria-labelledby="cart">
      <h2 id="cart">Your cart</h2>
      <ul className={styles.cartLines}>
        {lines.map((line) => (
          <li key={line.ticketName}>
            <span className={styles.lineName}>{line.ticketName}</span>
            <QuantityStepper
              label={line.ticketName}
              quantity={line.quantity}
              min={0}
              max={maxQuantity(line, event)}
              onChange={(quantity) => onChange(line, quantity)}
            />
            <span className={styles.linePrice}>{formatCents((centsOf(line.ticketPrice) ?? 0) * line.quantity)}</span>
          </li>
        ))}
      </ul>
      <p className={styles.total}>
        <span>Total</span>
        <strong>{formatCents(totalCents(lines))}</strong>
      </p>
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
