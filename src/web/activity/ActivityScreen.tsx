import { Link } from 'react-router';
import { auditLog } from '#contract/app/audit.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { activityPage as text } from '#messages/records/audit.ts';
import { call } from '#web/api.ts';
import { SelectField } from '#web/ui/form/fields.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { ActivityLog } from './ActivityLog.tsx';
import styles from './activity.module.css';
import { useActivity } from './use-activity.ts';

const load = (query: InputOf<typeof auditLog>) => call(auditLog, query);

export function ActivityScreen() {
  const activity = useActivity(load);
  const members = activity.shown?.members ?? [];
  const events = activity.shown?.events ?? [];
  return (
    <Page title={text.title} lead={text.lead}>
      <ActivityLog activity={activity}>
        <SelectField
          label={text.member}
          name="actor"
          options={[
            { value: '', label: text.everyone },
            ...members.map(({ id, email }) => ({ value: id, label: email })),
          ]}
        />
        <SelectField
          label={text.event}
          name="event"
          options={[
            { value: '', label: text.allEvents },
            ...events.map(({ eventId, title }) => ({ value: eventId, label: title })),
          ]}
        />
      </ActivityLog>
      <p className={styles.back}>
        <Link to="/profile">{text.back}</Link>
      </p>
    </Page>
  );
}
