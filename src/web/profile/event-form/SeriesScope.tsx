/** Which dates of a series an edit applies to. */
import { useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import type { editSeries } from '#contract/app/sales/series-changes.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { seriesScope as text } from '#messages/series/series-changes.ts';
import { useSeries } from '#web/shell/series/use-series.ts';
import styles from './EventForm.module.css';

export type Scope = 'own' | InputOf<typeof editSeries>['scope'];

interface SeriesScopeProps {
  event: OrganizerEvent;
  scope: Scope;
  onChange: (scope: Scope) => void;
}

/** Nothing for an event of its own, and for the last date of a series. */
export function SeriesScope(props: SeriesScopeProps) {
  return props.event.seriesId === undefined ? null : <ScopeOfDate {...props} />;
}

function ScopeOfDate({ event, scope, onChange }: SeriesScopeProps) {
  const { series } = useSeries(event.eventId);
  const [startsAt] = useState(event.startDate_startTime);
  const others = series?.dates.filter(({ isComing, eventId }) => isComing && eventId !== event.eventId) ?? [];
  const later = others.filter((date) => date.startsAt >= startsAt);
  if (others.length === 0) return null;
  const choices: [Scope, string][] = [
    ['own', text.own],
    ...(later.length > 0 ? [['later', text.later(later.length + 1)] satisfies [Scope, string]] : []),
    ['all', text.all(others.length + 1)],
  ];
  return (
    <fieldset className={styles.scope}>
      <legend>{text.legend}</legend>
      {choices.map(([value, label]) => (
        <label key={value} className={styles.scopeChoice}>
          <input type="radio" name="scope" value={value} checked={scope === value} onChange={() => onChange(value)} />
          {label}
        </label>
      ))}
      <p className={styles.scopeHint}>{text.hint}</p>
    </fieldset>
  );
}
