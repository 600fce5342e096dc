import { type CheckInDashboard } from '#contract/app/check-in-devices.ts';
import { deviceStateMessages, waitingScans } from '#messages/check-in-dashboard.ts';
import { ProgressBar } from '#web/ui/chart/ProgressBar.tsx';
import { StatTile } from '#web/ui/data/StatTile.tsx';
import { recentArrivals } from './arrivals/arrival-bars.ts';
import { deviceState } from './devices/device-state.ts';
import styles from './door.module.css';
import { shortMoment } from './event-clock.ts';

export function DoorTotals({ view }: { view: CheckInDashboard }) {
  const admitting = view.counts.filter(({ isAddOn }) => !isAddOn);
  const sold = total(admitting.map((type) => type.sold));
  const admitted = total(admitting.map((type) => type.admitted));
  const recent = recentArrivals(view.arrivals, view.now);
  const perMinute = Math.round((recent.admitted / (view.now - recent.from)) * 60_000);
  const open = view.devices.filter((device) => device.state === 'open');
  const silent = open.filter((device) => deviceState(device, view.now) === 'silent').length;

  return (
    <section className={styles.totals} aria-label="Totals">
      <div className={styles.hero}>
        <dl>
          <dt>Checked in</dt>
          <dd className={styles.big}>
            {count(admitted)} <span>of {count(sold)} sold</span>
          </dd>
        </dl>
        <ProgressBar value={admitted} max={sold} />
      </div>
      <StatTile
        label="Still to come"
        value={count(Math.max(0, sold - admitted))}
        note={sold > 0 ? `${Math.round((Math.max(0, sold - admitted) / sold) * 100)}% of sold` : 'no sales yet'}
      />
      <StatTile
        label={`Checked in since ${shortMoment(recent.from, view.timezone, view.now)}`}
        value={count(recent.admitted)}
        note={perMinute > 0 ? `about ${perMinute} a minute` : 'no one right now'}
      />
      <StatTile
        label="Devices"
        value={count(open.length)}
        note={[
          silent > 0 && `${silent} ${deviceStateMessages.silent.toLowerCase()}`,
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
