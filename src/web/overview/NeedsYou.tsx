import type { EventOverview } from '#contract/app/records/overview.ts';
import { overview as text } from '#messages/records/overview.ts';
import { addPhotosAt, disputesAt, payoutsAt } from '#web/shell/workspace/addresses.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import styles from './overview.module.css';

interface Need {
  key: string;
  text: string;
  action: string;
  to: string;
}

/** What waits for the organizer, most urgent first. Nothing while there is nothing. */
export function NeedsYou({ eventId, view }: { eventId: string; view: EventOverview }) {
  const needs = needsOf(eventId, view);
  if (needs.length === 0) return null;
  return (
    <section className={styles.needs} aria-labelledby="overview-needs">
      <h2 id="overview-needs">{text.needsTitle}</h2>
      <ul>
        {needs.map((need) => (
          <li key={need.key}>
            <p>{need.text}</p>
            <ButtonLink kind="ghost" to={need.to}>
              {need.action}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

function needsOf(eventId: string, { needs, payout, phase, may, timezone }: EventOverview): Need[] {
  const { dispute, accountTrouble, unsyncedScans, hasNoPhotos } = needs;
  const { needs: words } = text;
  const all: (Need | false)[] = [
    dispute !== null && {
      key: 'dispute',
      text: words.dispute.text({
        count: dispute.count,
        cents: Math.round(dispute.amount * 100),
        due: dispute.dueAt && formatShort(dispute.dueAt, timezone),
      }),
      action: words.dispute.action,
      to: disputesAt(eventId),
    },
    accountTrouble !== null && {
      key: 'account',
      text: words.account.text[accountTrouble],
      action: words.account.action,
      to: payoutsAt,
    },
    payout?.state === 'open' &&
      may.includes('payout.request') && {
        key: 'payout',
        text: words.payout.text(Math.round(payout.net * 100)),
        action: words.payout.action,
        to: `/events/${eventId}/money`,
      },
    unsyncedScans > 0 &&
      may.includes('check-in.manage') && {
        key: 'scans',
        text: words.scans.text(unsyncedScans),
        action: words.scans.action,
        to: `/door/${eventId}`,
      },
    hasNoPhotos &&
      may.includes('event.edit') &&
      (phase === 'ahead' || phase === 'today') && {
        key: 'photos',
        text: words.photos.text,
        action: words.photos.action,
        to: addPhotosAt(eventId),
      },
  ];
  return all.filter((need) => need !== false);
}
