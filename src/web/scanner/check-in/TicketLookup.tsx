import { useState } from 'react';
import * as z from 'zod/mini';
import { findTickets, type ListState } from '#contract/app/check-in-devices.ts';
import {
  checkedInMessage,
  handedOutMessage,
  listStateMessages,
  lookupHint,
  lookupNeedsNetwork,
  noTicketFound,
  notHandedOut,
  severalTicketsFound,
} from '#messages/check-in.ts';
import { CallError } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { ResultMark } from '#web/ui/check-in/ResultMark.tsx';
import { clockTime } from '#web/ui/data/format.ts';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { Icon } from '#web/ui/icons/Icon.tsx';
import styles from '../scanner.module.css';
import { checkInMessage, type ResultKind } from './check-in-result.ts';
import type { CheckIn } from './use-check-in.ts';

const lookupForm = z.pick(findTickets.input, { lastDigits: true });
type Found = Awaited<ReturnType<CheckIn['lookUp']>>;
type Answer = { digits: string; found: Found } | { problem: string };

interface TicketLookupProps {
  isOpen: boolean;
  isOnline: boolean;
  timezone: string | undefined;
  lookUp: CheckIn['lookUp'];
  onClose: () => void;
}

/** Looks up a ticket whose code can't be scanned. */
export function TicketLookup({ isOpen, onClose, ...rest }: TicketLookupProps) {
  return (
    <Dialog open={isOpen} title="Find a ticket" onClose={onClose}>
      <LookupForm {...rest} />
    </Dialog>
  );
}

function LookupForm({ isOnline, timezone, lookUp }: Pick<TicketLookupProps, 'isOnline' | 'timezone' | 'lookUp'>) {
  const [answer, setAnswer] = useState<Answer>();
  const form = useForm(lookupForm, async ({ lastDigits }) => {
    setAnswer(undefined);
    setAnswer(
      await lookUp(lastDigits).then(
        (found) => ({ digits: lastDigits, found }),
        (error: unknown) => ({ problem: isNetworkError(error) ? lookupNeedsNetwork : checkInMessage(error) }),
      ),
    );
  });

  return (
    <div className={styles.lookup}>
      <p>{lookupHint}</p>
      {!isOnline && <p className={styles.problem}>{lookupNeedsNetwork}</p>}
      <Form form={form} label="Find a ticket" className={styles.lookupForm}>
        <TextField
          label="Last 4 digits"
          name="lastDigits"
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          enterKeyHint="search"
          data-autofocus
          required
        />
        <Button type="submit" size="lg" busy={form.submitting}>
          Look it up
        </Button>
      </Form>
      <div role="status" className={styles.lookupResults}>
        {form.submitting && <p>Searching…</p>}
        {answer && 'problem' in answer && <p className={styles.problem}>{answer.problem}</p>}
        {answer && 'found' in answer && <Tickets {...answer} timezone={timezone} />}
      </div>
    </div>
  );
}

interface TicketsProps {
  digits: string;
  found: Found;
  timezone: string | undefined;
}

function Tickets({ digits, found: { tickets, isMore }, timezone }: TicketsProps) {
  if (tickets.length === 0) return <p>{noTicketFound(digits)}</p>;
  return (
    <>
      <ul>
        {withKeys(tickets).map(({ key, ticketName, isAddOn, state, scannedAt, scannedBy }) => (
          <li key={key}>
            {/* A valid ticket gets no check mark: green means admitted, and a lookup admits no one. */}
            {state === 'valid' ? (
              <Icon name="ticket" size={28} />
            ) : (
              <ResultMark
                styleName={isAddOn && state === 'scanned' ? 'already-handed-out' : markOfState[state]}
                className={styles.recentMark}
              />
            )}
            <p>
              <strong>{ticketName}</strong> <span>{stateText({ isAddOn, state, scannedAt, scannedBy }, timezone)}</span>
            </p>
          </li>
        ))}
      </ul>
      {isMore && <p>{severalTicketsFound}</p>}
    </>
  );
}

function stateText(
  { isAddOn, state, scannedAt, scannedBy }: Omit<Found['tickets'][number], 'ticketName'>,
  timezone: string | undefined,
): string {
  if (state === 'valid' && isAddOn) return notHandedOut;
  if (state !== 'scanned') return listStateMessages[state];
  const text = isAddOn ? handedOutMessage : checkedInMessage;
  return text(scannedAt === null ? null : clockTime(scannedAt, timezone), scannedBy);
}

/** Keyed by index: two tickets can look identical. */
function withKeys(tickets: Found['tickets']) {
  return tickets.map((ticket, index) => ({ ...ticket, key: String(index) }));
}

const markOfState: Record<Exclude<ListState, 'valid'>, ResultKind> = {
  scanned: 'already-in',
  refunding: 'refunding',
  refunded: 'refunded',
  void: 'void',
  disputed: 'disputed',
};

const isNetworkError = (error: unknown) => error instanceof CallError && error.status === 0;
