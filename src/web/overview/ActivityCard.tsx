import { Link } from 'react-router';
import type { EventOverview } from '#contract/app/records/overview.ts';
import { overview as text } from '#messages/records/overview.ts';
import { ago } from '#web/ui/data/ago.ts';
import { Icon, type IconName } from '#web/ui/icons/Icon.tsx';
import styles from './overview.module.css';

type Activity = NonNullable<EventOverview['activity']>[number];

const icons: Record<Activity['what'], IconName> = {
  bought: 'ticket',
  added: 'user-plus',
  refunded: 'arrow-down',
  withdrawn: 'minus',
  'checked-in': 'check',
};

interface ActivityCardProps {
  eventId: string;
  activity: readonly Activity[];
  now: string;
}

export function ActivityCard({ eventId, activity, now }: ActivityCardProps) {
  return (
    <section className={styles.card} aria-labelledby="overview-activity">
      <h2 id="overview-activity">{text.activityTitle}</h2>
      {activity.length === 0 && <p className={styles.note}>{text.noActivity}</p>}
      <ol className={styles.activity}>
        {activity.map(({ what, at, who, tickets, ticketId }) => (
          <li key={`${what} ${ticketId}`}>
            <Icon name={icons[what]} size={18} />
            <p>
              <Link to={`/events/${eventId}/guests?guest=${ticketId}`}>{who || text.deleted}</Link>{' '}
              {text.happened({ what, tickets })}
            </p>
            <time dateTime={at}>{ago(Date.parse(at), Date.parse(now))}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}
