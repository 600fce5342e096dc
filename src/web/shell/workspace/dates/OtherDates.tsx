import { Link } from 'react-router';
import type { EventFrame } from '#contract/app/records/workspace.ts';
import { datesText as text } from '#messages/series/series.ts';
import styles from './date-list.module.css';

/** Which date of its series is open, and the way to the others. */
export function OtherDates({ frame: { series } }: { frame: EventFrame }) {
  if (!series) return null;
  const { position, dates, previous, next } = series;
  return (
    <p className={styles.others}>
      <span>{text.position(position, dates)}</span>
      {previous && <Link to={`/events/${previous}`}>{text.previous}</Link>}
      {next && <Link to={`/events/${next}`}>{text.next}</Link>}
    </p>
  );
}
