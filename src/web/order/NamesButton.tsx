import { type ComponentType, useState } from 'react';
import { outage } from '#messages/pages.ts';
import { orderNames } from '#messages/sales/order-names.ts';
import { messageFrom } from '#web/api.ts';
import { loadCode } from '#web/load-code.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import type { NamesDialogProps } from './NamesDialog.tsx';

/** The form is loaded when it is wanted. */
export function NamesButton(props: Omit<NamesDialogProps, 'onClose'>) {
  const [Dialog, setDialog] = useState<ComponentType<NamesDialogProps> | null>(null);

  async function open() {
    try {
      const { NamesDialog } = await loadCode(() => import('./NamesDialog.tsx'));
      setDialog(() => NamesDialog);
    } catch (error) {
      toast.error(messageFrom(error, outage));
    }
  }

  return (
    <>
      <Button kind="ghost" onClick={() => void open()}>
        {orderNames.change}
      </Button>
      {Dialog && <Dialog {...props} onClose={() => setDialog(null)} />}
    </>
  );
}
