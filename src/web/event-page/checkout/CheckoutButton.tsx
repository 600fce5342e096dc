import { Button } from '#web/ui/button/Button.tsx';

export interface CheckoutButtonProps {
  isOpening: boolean;
  /** The label while checkout is closed; null when it is open. */
  closedLabel: string | null;
  open: () => void;
}

export function CheckoutButton({ isOpening, closedLabel, open }: CheckoutButtonProps) {
  if (closedLabel !== null)
    return (
      <Button kind="gold" size="lg" aria-disabled aria-describedby="on-sale" onClick={showReason}>
        {closedLabel}
      </Button>
    );
  return (
    <Button kind="gold" size="lg" busy={isOpening} onClick={open}>
      {isOpening ? 'Opening secure checkout…' : 'Checkout'}
    </Button>
  );
}

/** The card above the tickets explains why checkout is closed. */
function showReason(): void {
  document.getElementById('on-sale')?.focus();
}
