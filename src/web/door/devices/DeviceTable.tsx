import { type CheckInDashboard, type CheckInDevice } from '#contract/app/check-in-devices.ts';
import { deviceStateMessages, memberDevice } from '#messages/check-in-dashboard.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { ago } from '#web/ui/data/ago.ts';
import { Chip } from '#web/ui/data/Chip.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import styles from '../door.module.css';
import { shortMoment } from '../event-clock.ts';
import { deviceState, type ShownState } from './device-state.ts';

const tones = { open: 'ok', silent: 'few', removed: 'bad', ended: 'off' } as const satisfies Record<ShownState, string>;

interface DeviceTableProps {
  caption: string;
  devices: readonly CheckInDevice[];
  view: Pick<CheckInDashboard, 'timezone' | 'now'>;
  /** Omit it for devices that have left. */
  onRemove?: (device: CheckInDevice) => void;
}

export function DeviceTable({ caption, devices, view: { timezone, now }, onRemove }: DeviceTableProps) {
  const columns: Column<CheckInDevice>[] = [
    { label: 'Device', cell: ({ name }) => <b className={styles.device}>{name}</b> },
    {
      label: 'State',
      cell: (device) => {
        const state = deviceState(device, now);
        return <Chip tone={tones[state]}>{deviceStateMessages[state]}</Chip>;
      },
    },
    { label: 'Checked in', numeric: true, cell: ({ admitted }) => admitted.toLocaleString('en-US') },
    {
      label: 'Last scan',
      numeric: true,
      cell: ({ lastScanAt }) => (lastScanAt === null ? 'none' : shortMoment(lastScanAt, timezone, now)),
    },
    {
      label: 'Waiting to sync',
      numeric: true,
      cell: ({ pending }) => (pending > 0 ? <Chip tone="few">{pending.toLocaleString('en-US')}</Chip> : '0'),
    },
    { label: 'Last seen', numeric: true, cell: ({ seenAt }) => ago(seenAt, now) },
    ...(onRemove
      ? [{ label: 'Remove', quiet: true, cell: (device: CheckInDevice) => removeButton(device, onRemove) }]
      : []),
  ];
  return (
    <DataTable caption={caption} columns={columns} rows={devices} keyOf={({ id }) => id} className={styles.devices} />
  );
}

function removeButton(device: CheckInDevice, onRemove: (device: CheckInDevice) => void) {
  if (device.state !== 'open') return null;
  if (device.isMember) return <span className={styles.member}>{memberDevice}</span>;
  return (
    <Button
      kind="ghost"
      className={styles.remove}
      aria-label={`Remove ${device.name}`}
      onClick={() => onRemove(device)}
    >
      Remove
    </Button>
  );
}
