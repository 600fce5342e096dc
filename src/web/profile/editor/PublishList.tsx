import { Link } from 'react-router';
import type { EventPreview } from '#contract/app/sales/event-preview.ts';
import { timezones } from '#contract/forms/timezones.ts';
import { instantOf } from '#domain/local-time.ts';
import { publishList as text } from '#messages/records/event-editor.ts';
import type { Draft } from '#web/profile/event-form/event-draft.ts';
import { Icon } from '#web/ui/icons/Icon.tsx';
import srOnly from '#web/ui/styles/text.module.css';
import styles from './editor.module.css';
import { parsed } from './typed-event.ts';

type Step = keyof typeof text.steps;

interface PublishListProps {
  fields: Draft;
  /** Of the organization, as the server last said; null until it did. */
  missing: EventPreview['missing'] | null;
}

/** What a draft needs to be published. */
export function Component({ fields, missing }: PublishListProps) {
  const result = parsed(fields);
  const broken = 'broken' in result ? result.broken : [];
  const steps: [Step, isDone: boolean][] = [
    ['fields', broken.length === 0],
    ['ticket-type', !broken.some((field) => field.startsWith('tickets'))],
    ['date', isAhead(fields)],
    ...(missing ?? []).map((step): [Step, boolean] => [step, false]),
  ];
  if (missing !== null && !missing.includes('connect-payouts')) steps.push(['connect-payouts', true]);
  const isReady = missing !== null && steps.every(([, isDone]) => isDone);
  return (
    <section className={styles.list} aria-labelledby="publish-list">
      <h2 id="publish-list">{isReady ? text.ready : text.title}</h2>
      {!isReady && (
        <ul>
          {steps.map(([step, isDone]) => (
            <li key={step} data-done={isDone}>
              <Icon name={isDone ? 'check' : 'clock'} size={18} />
              <span className={srOnly.srOnly}>{isDone ? text.done : text.open}:</span> {text.steps[step]}
              {!isDone && missing?.includes(step as EventPreview['missing'][number]) && (
                <Link to="/profile">{text.setUp}</Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function isAhead({ startDate_startTime: start = '', timezone }: Draft): boolean {
  const zone = timezones.find((one) => one === timezone) ?? timezones[0];
  const startsAt = instantOf(start, zone, 'earlier');
  return startsAt instanceof Date && startsAt > new Date();
}
