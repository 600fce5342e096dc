import { useParams } from 'react-router';
import type { ListedEvent, OrganizerPage } from '#contract/app/sales/organizer-page.ts';
import { placeLine } from '#messages/format.ts';
import { organizerPage as text } from '#messages/sales/organizer-page.ts';
import { usePageProps } from '#web/page-props-context.ts';
import { inFocus, photoSource } from '#web/photo-source.ts';
import { NotFound } from '#web/shell/NotFound.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import { Page } from '#web/ui/page/Page.tsx';
import styles from './organizer.module.css';
import { Sale } from './Sale.tsx';
import { Series } from './Series.tsx';

/**
 * The page of an organization, or of a series: one file, because each one is named in the code of every page. Rendered by the server,
 * which has the data. Links load a page, so that each shows the present state.
 */
export function OrganizerScreen() {
  const { slug = '' } = useParams();
  const { organizer, series } = usePageProps();
  if (series?.seriesId === slug) return <Series page={series} />;
  return organizer?.slug === slug.toLowerCase() ? <Organizer page={organizer} /> : <NotFound />;
}

function Organizer({ page: { slug, name, bio, website, logo, look, events } }: { page: OrganizerPage }) {
  return (
    <Page title={name} heading={null}>
      {look && <link rel="stylesheet" href={`/look/${look}.css`} />}
      <header className={styles.head}>
        {logo && <img className={styles.logo} src={photoSource(logo)} alt={text.logo(name)} width={112} height={112} />}
        <div className={styles.about}>
          <h1 tabIndex={-1}>{name}</h1>
          {bio && <p className={styles.bio}>{bio}</p>}
          <ul className={styles.links}>
            {website && (
              <li>
                <a href={website} rel="noopener nofollow">
                  {website.replace(/^https:\/\/(?:www\.)?|[/?#].*/g, '')}
                </a>
              </li>
            )}
            {events[0] && (
              <li>
                <a href={`/contact/${events[0].eventId}`}>{text.contact}</a>
              </li>
            )}
            <li>
              <a href={`/o/${slug}/calendar.ics`}>{text.calendar}</a>
            </li>
          </ul>
        </div>
      </header>
      <section className={styles.section} aria-labelledby="coming">
        <h2 id="coming">{text.coming}</h2>
        {events.length === 0 ? (
          <p className={styles.empty}>{text.empty}</p>
        ) : (
          <ul className={styles.events}>
            {events.map((event) => (
              <EventCard key={event.eventId} event={event} />
            ))}
          </ul>
        )}
      </section>
    </Page>
  );
}

function EventCard({ event }: { event: ListedEvent }) {
  const { eventId, series, title, subtitle, startsAt, timezone, photo, photoFocus } = event;
  return (
    <li className={styles.card}>
      <img
        className={styles.cover}
        src={photo ? `${photoSource(photo)}?w=800` : `/poster/${eventId}.svg`}
        {...inFocus(photoFocus)}
        alt=""
        width={800}
        height={450}
        loading="lazy"
      />
      <div className={styles.facts}>
        <time className={styles.when} dateTime={startsAt}>
          {formatShort(startsAt, timezone)}
        </time>
        <h3>
          <a href={series ? `/series/${series.seriesId}` : `/payment/${eventId}`}>{title}</a>
        </h3>
        {series && <p className={styles.more}>{text.more(series.more)}</p>}
        {subtitle && <p>{subtitle}</p>}
        <p className={styles.place}>{placeLine(event)}</p>
        <Sale of={event} className={styles.sale} />
      </div>
    </li>
  );
}

export { OrganizerScreen as Component };
