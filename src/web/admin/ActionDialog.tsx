import {
  type ActionItem,
  decideEarlyCheckIn,
  type OperatorAction,
  refundReviewedOrder,
  retryActionItem,
  settleAnotherWay,
  writeOffReceivable,
} from '#contract/app/action-items.ts';
import { formatCents } from '#messages/format.ts';
import { actionItemMessages, operatorActionMessages } from '#messages/operator.ts';
import { call } from '#web/api.ts';
import { OperatorDialog } from './OperatorDialog.tsx';

interface ActionDialogProps {
  action: OperatorAction;
  item: ActionItem;
  onClose: () => void;
  onActed: () => Promise<void>;
}

const NOTE = { label: 'Note', hint: 'How, when, and why. Saved with your name.' };
const needsNote = (action: OperatorAction) => action !== 'retry' && action !== 'refund-order';

export function ActionDialog({ action, item, onClose, onActed }: ActionDialogProps) {
  const { label, question } = operatorActionMessages[action];
  return (
    <OperatorDialog
      label={label}
      question={question}
      summary={`${actionItemMessages[item.kind].what}${item.cents === null ? '' : `, ${formatCents(item.cents)}`}`}
      note={needsNote(action) ? NOTE : null}
      isDanger={action !== 'retry'}
      send={(note) => send(action, item, note)}
      onClose={onClose}
      onDone={onActed}
    />
  );
}

function send(action: OperatorAction, { kind, subject }: ActionItem, note: string): Promise<{ msg: string }> {
  if (action === 'retry') return call(retryActionItem, { kind, subject });
  if (action === 'refund-order') return call(refundReviewedOrder, { subject });
  if (action === 'write-off') return call(writeOffReceivable, { subject, note });
  if (action === 'paid-another-way') return call(settleAnotherWay, { subject, note });
  return call(decideEarlyCheckIn, { action, subject, note });
}
