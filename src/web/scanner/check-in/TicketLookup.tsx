import { useState } from 'react';
import * as z from 'zod/mini';
import { findTickets, type ListState } from '#contract/door.ts';
import {
  findLetsNobodyIn,
  findNeedsNetwork,
  foundLetIn,
  listStateWords,
  moreTicketsEndSo,
  noTicketEndsIn,
} from '#contract/door-words.ts';
import { CallError } from '#web/api.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Form } from '#web/ui/Form.tsx';
import { TextField } from '#web/ui/fields.tsx';
import { clockTime } from '#web/ui/format.ts';
import { Icon } from '#web/ui/Icon.tsx';
import { ResultMark } from '#web/ui/ResultMark.tsx';
import { useForm } from '#web/ui/use-form.ts';
import styles from '../scanner.module.css';
import { doorMessage, type ResultKind } from './check-in-result.ts';
import type { Door } from './use-check-in.ts';

const findForm = z.pick(findTickets.input, { lastDigits: true });
type Found = Awaited<ReturnType<Door['find']>>;
type Answer = { digits: string; found: Found } | { problem: string };

interface FindPanelProps {
  isOpen: boolean;
  isOnline: boolean;
  timezone: string | undefined;
  find: Door['find'];
  onClose: () => void;
}

/** For a guest whose code does not read. */
export function FindPanel({ isOpen, onClose, ...rest }: FindPanelProps) {
  return (
    <Dialog open={isOpen} title="Find a ticket" onClose={onClose}>
      <Finding {...rest} />
    </Dialog>
  );
}

function Finding({ isOnline, timezone, find }: Pick<FindPanelProps, 'isOnline' | 'timezone' | 'find'>) {
  const [answer, setAnswer] = useState<Answer>();
  const form = useForm(findForm, async ({ lastDigits }) => {
    setAnswer(undefined);
    setAnswer(
      await find(lastDigits).then(
        (found) => ({ digits: lastDigits, found }),
        (error: unknown) => ({ problem: isNoAnswer(error) ? findNeedsNetwork : doorMessage(error) }),
      ),
    );
  });

  return (
    <div className={styles.find}>
      <p>{findLetsNobodyIn}</p>
      {!isOnline && <p className={styles.problem}>{findNeedsNetwork}</p>}
      <Form form={form} label="Find a ticket" className={styles.findForm}>
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
      <div role="status" className={styles.findings}>
        {form.submitting && <p>Looking…</p>}
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
  if (tickets.length === 0) return <p>{noTicketEndsIn(digits)}</p>;
  return (
    <>
      <ul>
        {withKeys(tickets).map(({ key, ticketName, state, scannedAt, scannedBy }) => (
          <li key={key}>
            {/* No mark for a good one: green is for guests who are let in, and nobody is by being found. */}
            {state === 'valid' ? (
              <Icon name="ticket" size={28} />
            ) : (
              <ResultMark look={lookOfState[state]} className={styles.recentMark} />
            )}
            <p>
              <strong>{ticketName}</strong>{' '}
              <span>
                {state === 'scanned'
                  ? foundLetIn(scannedAt === null ? null : clockTime(scannedAt, timezone), scannedBy)
                  : listStateWords[state]}
              </span>
            </p>
          </li>
        ))}
      </ul>
      {isMore && <p>{moreTicketsEndSo}</p>}
    </>
  );
}

/** Tickets may be alike in all that is told of them. */
function withKeys(tickets: Found['tickets']) {
  return tickets.map((ticket, place) => ({ ...ticket, key: String(place) }));
}

const lookOfState: Record<Exclude<ListState, 'valid'>, ResultKind> = {
  scanned: 'already-in',
  refunding: 'refunding',
  refunded: 'refunded',
  void: 'void',
  disputed: 'disputed',
};

const isNoAnswer = (error: unknown) => error instanceof CallError && error.status === 0;
