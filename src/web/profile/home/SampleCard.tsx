import { home as text } from '#messages/records/home.ts';
import card from '#web/profile/events/EventCard.module.css';
import { StatusChip } from '#web/shell/workspace/StatusChip.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { Poster } from '#web/ui/ticket/Poster.tsx';
import styles from './sample-card.module.css';

/** What an event will look like here. Its figures are made up, so screen readers get the caption only. */
export function SampleCard() {
  return (
    <figure className={styles.sample}>
      <figcaption>
        <Chip>{text.example}</Chip> {text.exampleMeans}
      </figcaption>
      <div className={card.card} aria-hidden="true">
        <div className={card.top}>
          <div className={card.cover}>
            <Poster eventId="sample" />
          </div>
          <div className={card.body}>
            <div className={card.titleRow}>
              <strong className={styles.title}>{text.exampleTitle}</strong>
              <StatusChip status="on-sale" />
            </div>
            <p className={card.when}>{text.exampleWhen}</p>
            <dl className={card.totals}>
              {text.exampleTotals.map(([label, value]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </div>
        </div>
      </div>
    </figure>
  );
}
