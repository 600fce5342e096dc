import { formatCents, plural, TICKETS } from '#messages/format.ts';
import { CheckoutButton, type CheckoutButtonProps } from '../checkout/CheckoutButton.tsx';
import styles from './cart.module.css';
import { type CartLine, ticketCount } from './cart.ts';

interface CartBarProps {
  lines: readonly CartLine[];
  totalCents: number;
  checkout: CheckoutButtonProps;
}

/** Keeps the total and the checkout button in reach on a phone. */
export function CartBar({ lines, totalCents, checkout }: CartBarProps) {
  if (lines.length === 0) return null;
  return (
    <section className={styles.bar} aria-label="Cart total">
      <p>
        <strong>{formatCents(totalCents)}</strong>
        <span>{plural(ticketCount(lines), TICKETS)}</span>
      </p>
      <CheckoutButton {...checkout} />
    </section>
  );
}
