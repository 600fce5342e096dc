import { useState } from 'react';
import * as z from 'zod/mini';
import { findTickets } from '#contract/app/check-in-devices.ts';
import { lookupHint, lookupNeedsNetwork, noTicketFound, severalTicketsFound } from '#messages/check-in.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from '../scanner.module.css';
import { checkInMessage } from './check-in-result.ts';
import { isNetworkError, StateMark, stateText } from './TicketState.tsx';
import type { CheckIn } from './use-check-in.ts';

const lookupForm = z.pick(findTickets.input, { lastDigits: true });
type Found = Awaited<ReturnType<CheckIn['lookUp']>>;
type Answer = { digits: string; found: Found } | { problem: string };

interface NumberLookupProps {
  isOnline: boolean;
  timezone: string | undefined;
  lookUp: CheckIn['lookUp'];
}

/** By the last digits of the number. */
export function NumberLookup({ isOnline, timezone, lookUp }: NumberLookupProps) {
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
        {withKeys(tickets).map(({ key, ticketName, scannedBy, ...ticket }) => (
          <li key={key}>
            <StateMark {...ticket} />
            <p>
              <strong>{ticketName}</strong> <span>{stateText({ ...ticket, scannedBy }, timezone)}</span>
            </p>
          </li>
        ))}
      </ul>
      {isMore && <p>{severalTicketsFound}</p>}
    </>
  );
}

/** Keyed by index: two tickets can look identical. */
function withKeys(tickets: Found['tickets']) {
  return tickets.map((ticket, index) => ({ ...ticket, key: String(index) }));
}
