import { AddressDialog, type AddressDialogProps } from './AddressDialog.tsx';
import { NamesDialog, type NamesDialogProps } from './NamesDialog.tsx';
import { TransferDialog, type TransferDialogProps } from './TransferDialog.tsx';

/** What a buyer or a holder changes. */
export type OrderChange =
  | { names: Omit<NamesDialogProps, 'onClose'> }
  | { transfer: Omit<TransferDialogProps, 'onClose'> }
  | { address: Omit<AddressDialogProps, 'onClose'> };

export interface OrderDialogProps {
  change: OrderChange;
  onClose: () => void;
}

/** All in one file: the page loads it when one of them is wanted. */
export function OrderDialog({ change, onClose }: OrderDialogProps) {
  if ('names' in change) return <NamesDialog {...change.names} onClose={onClose} />;
  if ('transfer' in change) return <TransferDialog {...change.transfer} onClose={onClose} />;
  return <AddressDialog {...change.address} onClose={onClose} />;
}
