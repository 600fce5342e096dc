import { handedOutCount } from '#messages/check-in.ts';
import type { CheckIn } from './check-in/use-check-in.ts';
import styles from './scanner.module.css';

/** Check-ins by ticket type, and by this device. */
export function CheckInCounts({ counts, device }: Pick<CheckIn, 'counts' | 'device'>) {
  if (counts.length === 0 && !device) return null;
  return (
    <section className={styles.counts} aria-labelledby="check-in-counts">
      <h2 id="check-in-counts">Checked in</h2>
      <dl>
        {counts.map(({ ticketName, isAddOn, sold, admitted }) => (
          <div key={ticketName}>
            <dt>{isAddOn ? handedOutCount(ticketName) : ticketName}</dt>
            <dd>
              <strong>{admitted}</strong> of {sold}
            </dd>
          </div>
        ))}
        {device && (
          <div className={styles.deviceCount}>
            <dt>This device, {device.name}</dt>
            <dd>
              <strong>{device.admitted}</strong>
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
