import type { Door } from './check-in/use-check-in.ts';
import styles from './scanner.module.css';

/** How full it is, by ticket type, and what this device has done of it. */
export function DoorCounts({ counts, device }: Pick<Door, 'counts' | 'device'>) {
  if (counts.length === 0 && !device) return null;
  return (
    <section className={styles.counts} aria-labelledby="door-counts">
      <h2 id="door-counts">Let in</h2>
      <dl>
        {counts.map(({ ticketName, sold, admitted }) => (
          <div key={ticketName}>
            <dt>{ticketName}</dt>
            <dd>
              <strong>{admitted}</strong> of {sold}
            </dd>
          </div>
        ))}
        {device && (
          <div className={styles.ownCount}>
            <dt>By this device, {device.name}</dt>
            <dd>
              <strong>{device.admitted}</strong>
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
