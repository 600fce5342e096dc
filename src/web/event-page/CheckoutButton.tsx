import { Button } from '#web/ui/Button.tsx';

export function CheckoutButton({ isOpening, open }: { isOpening: boolean; open: () => void }) {
  return (
    <Button kind="gold" size="lg" busy={isOpening} onClick={open}>
      {isOpening ? 'Opening secure checkout…' : 'Checkout'}
    </Button>
  );
}
