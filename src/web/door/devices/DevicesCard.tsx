import { useState } from 'react';
import { type CheckInDashboard, type CheckInDevice } from '#contract/app/check-in-devices.ts';
import { noDevice } from '#messages/check-in-dashboard.ts';
import styles from '../door.module.css';
import { DeviceTable } from './DeviceTable.tsx';
import { devicesAtDoor, devicesLeft } from './device-state.ts';
import { RemoveDeviceDialog } from './RemoveDeviceDialog.tsx';

interface DevicesCardProps {
  eventId: string;
  view: CheckInDashboard;
  onChanged: () => void;
}

export function DevicesCard({ eventId, view, onChanged }: DevicesCardProps) {
  const [removing, setRemoving] = useState<CheckInDevice | null>(null);
  const present = devicesAtDoor(view.devices);
  const left = devicesLeft(view.devices);

  return (
    <section className={styles.card} aria-labelledby="devices">
      <h2 id="devices">Devices</h2>
      {present.length === 0 && (
        <p className={styles.none}>
          {noDevice} Scan the QR code under <a href="#staff">Set up a phone</a> with the first one.
        </p>
      )}
      {present.length > 0 && (
        <DeviceTable caption="Devices at the door" devices={present} view={view} onRemove={setRemoving} />
      )}
      {left.length > 0 && (
        <details className={styles.more}>
          <summary>No longer at the door ({left.length})</summary>
          <DeviceTable caption="Devices that were at the door" devices={left} view={view} />
        </details>
      )}
      {removing && (
        <RemoveDeviceDialog
          eventId={eventId}
          device={view.devices.find(({ id }) => id === removing.id) ?? removing}
          onClose={() => setRemoving(null)}
          onRemoved={onChanged}
        />
      )}
    </section>
  );
}
