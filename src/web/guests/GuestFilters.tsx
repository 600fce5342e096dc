import { useId, useState } from 'react';
import type { GuestFilters as Filters, GuestTable } from '#contract/app/sales/guest-table.ts';
import { channels, guestFilters } from '#domain/sales/guest-list.ts';
import { guestTablePage as text } from '#messages/sales/guest-table.ts';
import listStyles from '#web/shell/workspace/list/ListFilters.module.css';
import { SearchField, StateChips } from '#web/shell/workspace/list/ListFilters.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { SelectField } from '#web/ui/form/fields.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './guests.module.css';
import type { useGuestFilters } from './use-guest-filters.ts';
import { countOf } from './use-guest-list.ts';

interface GuestFiltersProps {
  table: GuestTable;
  filters: Filters;
  onChange: ReturnType<typeof useGuestFilters>['setFilters'];
}

export function GuestFilters({ table, filters, onChange }: GuestFiltersProps) {
  const moreId = useId();
  const [hasMore, setHasMore] = useState(false);
  const chosen = [filters.type, filters.channel, filters.question].filter(Boolean).length;
  const question = table.questions.find(({ questionId }) => questionId === filters.question);
  const shownChannels = channels.filter(
    (one) => one === filters.channel || table.counts.some(({ channel }) => channel === one),
  );
  const hasSelects = table.types.length > 1 || shownChannels.length > 1 || table.questions.length > 0;

  return (
    <div className={listStyles.filters}>
      <div className={listStyles.fields}>
        <SearchField label={text.search} hint={text.searchHint} q={filters.q ?? ''} onChange={onChange} />
        {hasSelects && (
          // On phones only.
          <Button
            kind="ghost"
            className={styles.more}
            aria-expanded={hasMore}
            aria-controls={moreId}
            onClick={() => setHasMore(!hasMore)}
          >
            {text.more(chosen)}
          </Button>
        )}
        <div id={moreId} className={classNames(styles.selects, hasMore && styles.shown)}>
          {table.types.length > 1 && (
            <SelectField
              className={styles.select}
              label={text.type}
              name="type"
              value={filters.type ?? ''}
              options={[
                { value: '', label: text.anyType },
                ...table.types.map(({ ticketId, ticketName }) => ({
                  value: ticketId,
                  label: text.option(ticketName, countOf(table, { ...filters, type: ticketId })),
                })),
              ]}
              onChange={(change) => onChange({ type: change.target.value })}
            />
          )}
          {shownChannels.length > 1 && (
            <SelectField
              className={styles.select}
              label={text.channel}
              name="channel"
              value={filters.channel ?? ''}
              options={[
                { value: '', label: text.anyChannel },
                ...shownChannels.map((channel) => ({
                  value: channel,
                  label: text.option(text.channels[channel], countOf(table, { ...filters, channel })),
                })),
              ]}
              onChange={(change) => onChange({ channel: change.target.value })}
            />
          )}
          {table.questions.length > 0 && (
            <SelectField
              className={styles.select}
              label={text.question}
              name="question"
              value={filters.question ?? ''}
              options={[
                { value: '', label: text.anyQuestion },
                ...table.questions.map(({ questionId, label }) => ({ value: questionId, label })),
              ]}
              onChange={(change) => onChange({ question: change.target.value, answer: undefined })}
            />
          )}
          {question && question.answers.length > 0 && (
            <SelectField
              className={styles.select}
              label={text.answer}
              name="answer"
              value={filters.answer ?? ''}
              options={[
                { value: '', label: text.anyAnswer },
                ...question.answers.map((answer) => ({ value: answer, label: answer })),
              ]}
              onChange={(change) => onChange({ answer: change.target.value })}
            />
          )}
        </div>
      </div>
      <StateChips
        legend={text.states}
        chosen={filters.state}
        states={[undefined, ...guestFilters].flatMap((state) => {
          const { state: _, ...stateless } = filters;
          const listed = countOf(table, state ? { ...stateless, state } : stateless);
          const isUsual = state === undefined || state === 'checked-in' || state === 'not-yet';
          if (!isUsual && filters.state !== state && listed === 0) return [];
          return [{ state, label: text.chip(state ? text.filters[state] : text.everyone, listed) }];
        })}
        onChange={(state) => onChange({ state })}
      />
    </div>
  );
}
