import type { EventOverview } from '#contract/app/records/overview.ts';
import { overview as text } from '#messages/records/overview.ts';
import { clockTime, formatDate } from '#web/ui/data/format.ts';
import { Fact, Figure } from './Figures.tsx';
import styles from './overview.module.css';

const QUARTER_MS = 15 * 60_000;
const count = (number: number) => number.toLocaleString('en-US');

/** The morning after: who came, when, and when the money comes. */
export function Recap({ eventId, view }: { eventId: string; view: EventOverview }) {
  const { checkedIn, toCheckIn, sold, busiest, payout, timezone, may } = view;
  const guests = may.includes('guest.view') ? `/events/${eventId}/guests` : null;
  return (
    <section className={styles.card} aria-labelledby="overview-recap">
      <h2 id="overview-recap">{text.recapTitle}</h2>
      <dl className={styles.facts}>
        <Fact label={text.came} note={text.percentOf(checkedIn, sold)}>
          <Figure to={guests && `${guests}?state=checked-in`} says={text.seeGuests}>
            {count(checkedIn)}
          </Figure>
        </Fact>
        <Fact label={text.noShows} note={text.percentOf(toCheckIn, sold)}>
          <Figure to={guests && `${guests}?state=not-yet`} says={text.seeGuests}>
            {count(toCheckIn)}
          </Figure>
        </Fact>
        {busiest && (
          <Fact label={text.busiest} note={text.arrivals(busiest.admitted)}>
            {quarter(busiest.from, timezone)}
          </Fact>
        )}
        {payout && (
          <Fact label={text.payout}>
            <Figure to={`/events/${eventId}/money`} says={text.seeMoney}>
              {payoutText(payout, timezone)}
            </Figure>
          </Fact>
        )}
      </dl>
    </section>
  );
}

/** `8:15 – 8:30 PM` */
function quarter(from: string, timezone: string): string {
  const start = Date.parse(from);
  const [first, last] = [clockTime(start, timezone), clockTime(start + QUARTER_MS, timezone)];
  return `${first.slice(-2) === last.slice(-2) ? first.slice(0, -3) : first} – ${last}`;
}

function payoutText({ state, paidAt, opensAt }: NonNullable<EventOverview['payout']>, timezone: string): string {
  if (state === 'paid') return paidAt ? formatDate(paidAt, timezone) : text.payoutStates.requested;
  return state === 'too-early' ? text.payoutFrom(formatDate(opensAt, timezone)) : text.payoutStates[state];
}
