import { type ComponentType, useState } from 'react';
import { outage } from '#messages/pages.ts';
import { messageFrom } from '#web/api.ts';
import { loadCode } from '#web/load-code.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import type { OrderChange, OrderDialogProps } from './OrderDialog.tsx';

interface ChangeButtonProps {
  label: string;
  /** Contains the label. */
  name?: string;
  change: OrderChange;
}

/** The form is loaded when it is wanted. */
export function ChangeButton({ label, name, change }: ChangeButtonProps) {
  const [Dialog, setDialog] = useState<ComponentType<OrderDialogProps> | null>(null);

  async function open() {
    try {
      const { OrderDialog } = await loadCode(() => import('./OrderDialog.tsx'));
      setDialog(() => OrderDialog);
    } catch (error) {
      toast.error(messageFrom(error, outage));
    }
  }

  return (
    <>
      <Button kind="ghost" aria-label={name} onClick={() => void open()}>
        {label}
      </Button>
      {Dialog && <Dialog change={change} onClose={() => setDialog(null)} />}
    </>
  );
}
