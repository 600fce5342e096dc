import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { EventOverview } from '#contract/app/records/overview.ts';
import { dayOf } from '#domain/sales/sales-days.ts';
import { formatDollars } from '#messages/format.ts';
import { overview as text } from '#messages/records/overview.ts';
import { ProgressBar } from '#web/ui/chart/ProgressBar.tsx';
import { StatTile, StatTiles } from '#web/ui/data/StatTile.tsx';
import styles from './overview.module.css';

interface Props {
  eventId: string;
  view: EventOverview;
}

const count = (number: number) => number.toLocaleString('en-US');

/** Sold, what the organizer gets, checked in, and page views. */
export function Figures({ eventId, view }: Props) {
  const { sold, offered, addOnsSold, checkedIn, views, orders, gross, payout, phase, may } = view;
  const guests = may.includes('guest.view') ? `/events/${eventId}/guests` : null;
  const notes = [text.of(offered), ...todayNote(view), ...(addOnsSold > 0 ? [text.addOns(addOnsSold)] : [])];
  return (
    <StatTiles label={text.figures}>
      <StatTile
        label={text.sold}
        value={
          <Figure to={guests} says={text.seeGuests}>
            {count(sold)}
          </Figure>
        }
        note={
          <>
            <ProgressBar value={sold} max={offered} tone="sold" className={styles.bar} />
            {notes.join(' · ')}
          </>
        }
      />
      {payout && phase !== 'cancelled' && (
        <StatTile
          label={payout.state === 'paid' ? text.youGot : text.youGet}
          value={
            <Figure to={`/events/${eventId}/money`} says={text.seeMoney}>
              {formatDollars(payout.net)}
            </Figure>
          }
          note={gross === null ? undefined : text.youGetNote(gross)}
        />
      )}
      {phase !== 'today' && phase !== 'over' && (
        <StatTile
          label={text.checkedIn}
          value={
            <Figure to={guests && `${guests}?state=checked-in`} says={text.seeGuests}>
              {count(checkedIn)}
            </Figure>
          }
          note={text.of(sold)}
        />
      )}
      <StatTile
        label={text.views}
        value={count(views)}
        note={
          guests && orders > 0 ? (
            <Link className={styles.quiet} to={`${guests}?channel=online`}>
              {text.viewsNote(orders, views)}
            </Link>
          ) : (
            text.viewsNote(orders, views)
          )
        }
      />
    </StatTiles>
  );
}

/** On the day of the event. */
export function DoorFigures({ eventId, view: { checkedIn, toCheckIn, sold, may } }: Props) {
  const guests = may.includes('guest.view') ? `/events/${eventId}/guests` : null;
  return (
    <section className={styles.card} aria-labelledby="overview-door">
      <div className={styles.cardHead}>
        <h2 id="overview-door">{text.doorTitle}</h2>
        {may.includes('check-in.manage') && <Link to={`/door/${eventId}`}>{text.openDoor}</Link>}
      </div>
      <dl className={styles.facts}>
        <Fact label={text.checkedIn} note={text.of(sold)}>
          <Figure to={guests && `${guests}?state=checked-in`} says={text.seeGuests}>
            {count(checkedIn)}
          </Figure>
        </Fact>
        <Fact label={text.stillToCome} note={text.percentOf(toCheckIn, sold)}>
          <Figure to={guests && `${guests}?state=not-yet`} says={text.seeGuests}>
            {count(toCheckIn)}
          </Figure>
        </Fact>
      </dl>
      <ProgressBar value={checkedIn} max={sold} />
    </section>
  );
}

export function Fact({ label, note, children }: { label: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={styles.value}>{children}</dd>
      {note && <dd className={styles.note}>{note}</dd>}
    </div>
  );
}

/** A figure that opens the rows behind it. */
export function Figure({ to, says, children }: { to: string | null; says: string; children: string }) {
  if (to === null) return <>{children}</>;
  return (
    <Link className={styles.figure} to={to} aria-label={`${children}. ${says}`}>
      {children}
    </Link>
  );
}

function todayNote({ days, now, timezone }: EventOverview): string[] {
  const last = days.at(-1);
  return last && last.sold !== 0 && last.day === dayOf(new Date(now), timezone) ? [text.today(last.sold)] : [];
}
