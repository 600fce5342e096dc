/** The state of a ticket that was looked up. */
import type { ListState } from '#contract/app/check-in-devices.ts';
import { checkedInMessage, handedOutMessage, listStateMessages, notHandedOut } from '#messages/check-in.ts';
import { CallError } from '#web/api.ts';
import { ResultMark } from '#web/ui/check-in/ResultMark.tsx';
import { clockTime } from '#web/ui/data/format.ts';
import { Icon } from '#web/ui/icons/Icon.tsx';
import styles from '../scanner.module.css';
import type { ResultKind } from './check-in-result.ts';

interface Ticket {
  isAddOn: boolean;
  state: ListState;
  scannedAt: number | null;
}

/** A valid ticket gets no check mark: green means admitted, and a lookup admits no one. */
export function StateMark({ isAddOn, state }: Pick<Ticket, 'isAddOn' | 'state'>) {
  if (state === 'valid') return <Icon name="ticket" size={28} />;
  return (
    <ResultMark
      styleName={isAddOn && state === 'scanned' ? 'already-handed-out' : markOfState[state]}
      className={styles.recentMark}
    />
  );
}

export function stateText(
  { isAddOn, state, scannedAt, scannedBy }: Ticket & { scannedBy: string | null },
  timezone: string | undefined,
): string {
  if (state === 'valid' && isAddOn) return notHandedOut;
  if (state !== 'scanned') return listStateMessages[state];
  const text = isAddOn ? handedOutMessage : checkedInMessage;
  return text(scannedAt === null ? null : clockTime(scannedAt, timezone), scannedBy);
}

const markOfState: Record<Exclude<ListState, 'valid'>, ResultKind> = {
  scanned: 'already-in',
  refunding: 'refunding',
  refunded: 'refunded',
  void: 'void',
  disputed: 'disputed',
};

export const isNetworkError = (error: unknown) => error instanceof CallError && error.status === 0;
