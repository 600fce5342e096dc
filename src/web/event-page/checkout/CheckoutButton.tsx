import { Button } from '#web/ui/Button.tsx';

export interface CheckoutButtonProps {
  isOpening: boolean;
  /** What it says while no checkout can be opened; null when one can. */
  closed: string | null;
  open: () => void;
}

export function CheckoutButton({ isOpening, closed, open }: CheckoutButtonProps) {
  if (closed !== null)
    return (
      <Button kind="gold" size="lg" aria-disabled aria-describedby="on-sale" onClick={showReason}>
        {closed}
      </Button>
    );
  return (
    <Button kind="gold" size="lg" busy={isOpening} onClick={open}>
      {isOpening ? 'Opening secure checkout…' : 'Checkout'}
    </Button>
  );
}

/** What stands above the tickets says why. */
function showReason(): void {
  document.getElementById('on-sale')?.focus();
}
