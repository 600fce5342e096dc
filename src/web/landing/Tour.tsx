import { tour } from '#messages/sales/landing.ts';
import door from './landing-door.webp';
import event from './landing-event.webp';
import money from './landing-money.webp';
import tickets from './landing-tickets.webp';
import styles from './Tour.module.css';

const WIDE = { width: 1200, height: 750, isPhone: false };
const PHONE = { width: 390, height: 844, isPhone: true };

const stops = [
  { ...tour.event, src: event, ...WIDE },
  { ...tour.door, src: door, ...PHONE },
  { ...tour.tickets, src: tickets, ...PHONE },
  { ...tour.money, src: money, ...WIDE },
];

/** What the product looks like, in pictures of it. */
export function Tour() {
  return (
    <section className={styles.tour} aria-label={tour.title}>
      {stops.map(({ title, text, alt, src, width, height, isPhone }) => (
        <article key={title} className={styles.stop}>
          <div className={styles.text}>
            <h2>{title}</h2>
            <p>{text}</p>
          </div>
          <img
            className={isPhone ? styles.phone : styles.page}
            src={src}
            alt={alt}
            width={width}
            height={height}
            loading="lazy"
          />
        </article>
      ))}
    </section>
  );
}
