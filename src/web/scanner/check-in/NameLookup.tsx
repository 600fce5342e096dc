import { useState } from 'react';
import * as z from 'zod/mini';
import { type FoundGuest, type FoundGuests, findGuests } from '#contract/app/sales/find-guests.ts';
import { GUEST_SEARCH_MAX } from '#domain/limits.ts';
import { guestSearch as text } from '#messages/check-in.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from '../scanner.module.css';
import { checkInMessage } from './check-in-result.ts';
import { isNetworkError, StateMark, stateText } from './TicketState.tsx';

const searchForm = z.pick(findGuests.input, { name: true });

interface NameLookupProps {
  isOnline: boolean;
  checksIn: boolean;
  timezone: string | undefined;
  find: (name: string) => Promise<FoundGuests>;
  onCheckIn: (ticketId: string, lastDigits: string) => void;
}

/** Names never leave the server but as the answer to a search, so this needs the network. */
export function NameLookup({ isOnline, checksIn, timezone, find, onCheckIn }: NameLookupProps) {
  const [answer, setAnswer] = useState<{ name: string; found: FoundGuests } | { problem: string }>();
  const form = useForm(searchForm, async ({ name }) => {
    setAnswer(undefined);
    setAnswer(
      await find(name).then(
        (found) => ({ name, found }),
        (error: unknown) => ({ problem: isNetworkError(error) ? text.needsNetwork : checkInMessage(error) }),
      ),
    );
  });

  return (
    <div className={styles.lookup}>
      <p>
        {text.hint} {!checksIn && text.membersOnly}
      </p>
      {!isOnline && <p className={styles.problem}>{text.needsNetwork}</p>}
      <Form form={form} label={text.form} className={styles.lookupForm}>
        <TextField
          label={text.label}
          name="name"
          hint={text.labelHint}
          autoComplete="off"
          autoCapitalize="words"
          autoCorrect="off"
          spellCheck={false}
          maxLength={GUEST_SEARCH_MAX}
          enterKeyHint="search"
          required
        />
        <Button type="submit" size="lg" busy={form.submitting}>
          {text.find}
        </Button>
      </Form>
      <div role="status" className={styles.lookupResults}>
        {form.submitting && <p>{text.searching}</p>}
        {answer && 'problem' in answer && <p className={styles.problem}>{answer.problem}</p>}
        {answer && 'found' in answer && answer.found.guests.length === 0 && <p>{text.none(answer.name)}</p>}
        {answer && 'found' in answer && answer.found.guests.length > 0 && (
          <ul>
            {withKeys(answer.found.guests).map(({ key, guest }) => (
              <Guest key={key} guest={guest} timezone={timezone} onCheckIn={onCheckIn} />
            ))}
          </ul>
        )}
        {answer && 'found' in answer && answer.found.isMore && <p>{text.isMore}</p>}
      </div>
    </div>
  );
}

interface GuestProps extends Pick<NameLookupProps, 'timezone' | 'onCheckIn'> {
  guest: FoundGuest;
}

function Guest({ guest, timezone, onCheckIn }: GuestProps) {
  const { name, ticketName, lastDigits, ticketId } = guest;
  return (
    <li>
      <StateMark {...guest} />
      <p>
        <strong>{name}</strong> {ticketName} <span className={styles.code}>…{lastDigits}</span>{' '}
        <span>{stateText({ ...guest, scannedBy: null }, timezone)}</span>
      </p>
      {ticketId !== null && (
        <Button aria-label={text.checkInLabel(name, lastDigits)} onClick={() => onCheckIn(ticketId, lastDigits)}>
          {text.checkIn}
        </Button>
      )}
    </li>
  );
}

/** Keyed by index: two guests can look identical. */
const withKeys = (guests: FoundGuests['guests']) => guests.map((guest, index) => ({ guest, key: String(index) }));
