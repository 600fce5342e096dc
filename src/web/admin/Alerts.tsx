import type { adminAlerts } from '#contract/app/alerts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { alertMessage, alertList as text } from '#messages/records/alerts.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';

/** The problems that operators are emailed about. Nothing while all is well. */
export function Alerts({ alerts: { alerts, total } }: { alerts: ReplyOf<typeof adminAlerts> }) {
  if (total === 0) return null;
  return (
    <Banner kind="warning" title={text.title(total)}>
      <ul>
        {alerts.map(({ id, kind, subject, raisedAt, lastSentAt }) => (
          <li key={id}>
            {alertMessage(kind, subject)}, {text.since(timeOf(raisedAt))}
            {lastSentAt === null && ` (${text.notEmailed})`}
          </li>
        ))}
      </ul>
    </Banner>
  );
}

const timeOf = (at: string) =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }).format(
    new Date(at),
  );
