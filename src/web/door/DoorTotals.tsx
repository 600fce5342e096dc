import { type DoorView, deviceStateWords, waitingScans } from '#contract/door-view-words.ts';
import { StatTile } from '#web/ui/StatTile.tsx';
import { lately } from './arrivals/arrival-bars.ts';
import { stateOf } from './devices/device-state.ts';
import styles from './door.module.css';
import { shortMoment } from './event-clock.ts';
import { ShareBar } from './ProgressBar.tsx';

/** What the organizer looks at from across the room. */
export function DoorFigures({ view }: { view: DoorView }) {
  const sold = total(view.counts.map((type) => type.sold));
  const admitted = total(view.counts.map((type) => type.admitted));
  const late = lately(view.arrivals, view.now);
  const perMinute = Math.round((late.admitted / (view.now - late.from)) * 60_000);
  const open = view.devices.filter((device) => device.state === 'open');
  const silent = open.filter((device) => stateOf(device, view.now) === 'silent').length;

  return (
    <section className={styles.figures} aria-label="How it goes">
      <div className={styles.hero}>
        <dl>
          <dt>Let in</dt>
          <dd className={styles.big}>
            {count(admitted)} <span>of {count(sold)} sold</span>
          </dd>
        </dl>
        <ShareBar part={admitted} whole={sold} />
      </div>
      <StatTile
        label="Still to come"
        value={count(Math.max(0, sold - admitted))}
        note={
          sold > 0 ? `${Math.round((Math.max(0, sold - admitted) / sold) * 100)}% of those sold` : 'nothing sold yet'
        }
      />
      <StatTile
        label={`Let in since ${shortMoment(late.from, view.timezone, view.now)}`}
        value={count(late.admitted)}
        note={perMinute > 0 ? `about ${perMinute} a minute` : 'nobody just now'}
      />
      <StatTile
        label="Devices"
        value={count(open.length)}
        note={[
          silent > 0 && `${silent} ${deviceStateWords.silent.toLowerCase()}`,
          waitingScans(total(view.devices.map((device) => device.pending))),
        ]
          .filter(Boolean)
          .join(', ')}
      />
    </section>
  );
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
const count = (number: number) => number.toLocaleString('en-US');
