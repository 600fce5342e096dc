import type { SeriesDate, SeriesPage } from '#contract/app/sales/series-page.ts';
import { placeLine } from '#messages/format.ts';
import { organizerPage, seriesPage as text } from '#messages/sales/organizer-page.ts';
import { inFocus, photoSource } from '#web/photo-source.ts';
import { written } from '#web/ui/data/format.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Icon } from '#web/ui/icons/Icon.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import shared from './organizer.module.css';
import { Sale } from './Sale.tsx';
import styles from './series.module.css';

export function Series({ page }: { page: SeriesPage }) {
  const { seriesId, title, description, organizer, look, cover, venue, dates } = page;
  const [next] = dates;
  const summary = summaryOf(dates);
  return (
    <Page title={title} heading={null}>
      {look && <link rel="stylesheet" href={`/look/${look}.css`} />}
      <header className={styles.head}>
        <img
          className={styles.cover}
          src={cover.photo ? `${photoSource(cover.photo)}?w=800` : `/poster/${cover.eventId}.svg`}
          {...inFocus(cover.photoFocus)}
          alt=""
          width={800}
          height={450}
        />
        <div className={shared.about}>
          <h1 tabIndex={-1}>{title}</h1>
          {organizer.name && (
            <p className={styles.by}>
              {text.by}{' '}
              <strong>{organizer.slug ? <a href={`/o/${organizer.slug}`}>{organizer.name}</a> : organizer.name}</strong>
            </p>
          )}
          {venue && (
            <p className={styles.venue}>
              <Icon name="map-pin" size={18} />
              {placeLine(venue)}
            </p>
          )}
          {next && (
            <ul className={shared.links}>
              <li>
                <a href={`/series/${seriesId}/calendar.ics`}>{organizerPage.calendar}</a>
              </li>
              <li>
                <a href={`/contact/${next.eventId}`}>{organizerPage.contact}</a>
              </li>
            </ul>
          )}
        </div>
      </header>
      {summary && <Banner title={summary} />}
      {dates.length === 0 && (
        <div className={shared.empty}>
          <p>{text.empty}</p>
          {organizer.slug && organizer.name && (
            <p>
              <a href={`/o/${organizer.slug}`}>{text.moreOf(organizer.name)}</a>
            </p>
          )}
        </div>
      )}
      {byMonth(dates).map(([month, ofMonth]) => (
        <section key={month} className={shared.section} aria-labelledby={idOf(month)}>
          <h2 id={idOf(month)}>{month}</h2>
          <ul className={styles.dates}>
            {ofMonth.map((date) => (
              <DateRow key={date.eventId} date={date} />
            ))}
          </ul>
        </section>
      ))}
      {description && (
        <section className={shared.section} aria-labelledby="about">
          <h2 id="about">{text.about}</h2>
          <p className={shared.bio}>{description}</p>
        </section>
      )}
    </Page>
  );
}

function DateRow({ date }: { date: SeriesDate }) {
  const { eventId, subtitle, timezone: timeZone, startsAt, venue, sale } = date;
  const isOff = sale === 'cancelled';
  return (
    <li className={classNames(styles.date, isOff && styles.off)}>
      <span className={styles.tile} aria-hidden="true">
        <span>{written(startsAt, { timeZone, weekday: 'short' })}</span>
        <span>{written(startsAt, { timeZone, day: 'numeric' })}</span>
      </span>
      <div className={styles.facts}>
        <a href={`/payment/${eventId}`}>
          <time dateTime={startsAt}>
            {written(startsAt, { timeZone, weekday: 'long', month: 'short', day: 'numeric' })},{' '}
            {written(startsAt, { timeZone, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })}
          </time>
        </a>
        {subtitle && <p>{subtitle}</p>}
        {venue && <p className={shared.place}>{placeLine(venue)}</p>}
      </div>
      <Sale of={date} className={styles.sale} />
    </li>
  );
}

/** What holds for all of the dates that are not cancelled. */
function summaryOf(dates: readonly SeriesDate[]): string | null {
  if (dates.length === 0) return null;
  const on = dates.filter(({ sale }) => sale !== 'cancelled');
  if (on.length === 0) return text.allCancelled;
  return on.every(({ sale }) => sale === 'sold-out') ? text.allSoldOut : null;
}

/** By the month in which a date is where it takes place. */
function byMonth(dates: readonly SeriesDate[]): [month: string, dates: SeriesDate[]][] {
  const months = new Map<string, SeriesDate[]>();
  for (const date of dates) {
    const month = written(date.startsAt, { timeZone: date.timezone, month: 'long', year: 'numeric' });
    months.set(month, [...(months.get(month) ?? []), date]);
  }
  return [...months];
}

const idOf = (month: string) => month.toLowerCase().replace(' ', '-');
