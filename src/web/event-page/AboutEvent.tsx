import { Link } from 'react-router';
import type { PublicEvent } from '#contract/app/events.ts';
import { addressLine } from '#messages/format.ts';
import { changesLink, contactLink, reportLink } from '#messages/sales/event-page.ts';
import { MapPin } from '#web/ui/map/MapPin.tsx';
import { AttendantLink } from './AttendantLink.tsx';
import styles from './event-page.module.css';
import { RequestRefundLink } from './RequestRefundLink.tsx';
import { shown } from './rich-text.tsx';

export function AboutEvent({ event }: { event: PublicEvent }) {
  return (
    <div className={styles.more}>
      <section aria-labelledby="about">
        <h2 id="about">About {event.organizationName ?? 'this event.'}</h2>
        {event.bio && <p className={styles.prose}>{event.bio}</p>}
      </section>
      <section aria-labelledby="description">
        <h2 id="description">About this event</h2>
        <div className={styles.prose}>{event.richDescription?.map(shown) ?? event.description}</div>
      </section>
      <section aria-labelledby="place">
        <h2 id="place">Location</h2>
        <address className={styles.address}>{addressLine(event)}</address>
        <div className={styles.map}>
          <MapPin latitude={event.latitude} longitude={event.longitude} label={event.title} />
        </div>
      </section>
      <section className={styles.footer} aria-label="More">
        <div className={styles.links}>
          <RequestRefundLink eventId={event.eventId} />
          <AttendantLink eventId={event.eventId} event={event} />
        </div>
        <p className={styles.terms}>
          By buying a ticket, you agree to the <Link to="/Legal">Terms and Conditions</Link>.
        </p>
        {event.hasChanges && (
          <p className={styles.terms}>
            <a href={`/payment/${event.eventId}/changes`}>{changesLink}</a>
          </p>
        )}
        <p className={styles.terms}>
          <a href={`/contact/${event.eventId}`}>{contactLink}</a>
        </p>
        <p className={styles.terms}>
          <Link to={`/report/${encodeURIComponent(event.eventId)}`}>{reportLink}</Link>
        </p>
      </section>
    </div>
  );
}
