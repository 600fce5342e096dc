import { type CheckInDevice, removeDevice } from '#contract/app/check-in-devices.ts';
import { deviceRemoved, removalConsequences } from '#messages/check-in-dashboard.ts';
import { outage } from '#messages/pages.ts';
import { call, messageFrom } from '#web/api.ts';
import { ConfirmDanger } from '#web/ui/dialog/ConfirmDanger.tsx';
import { toast } from '#web/ui/feedback/toast.ts';

interface RemoveDeviceDialogProps {
  eventId: string;
  device: CheckInDevice;
  onClose: () => void;
  onRemoved: () => void;
}

/** Removing the wrong device would stop a queue, so the organizer types its name. */
export function RemoveDeviceDialog({ eventId, device, onClose, onRemoved }: RemoveDeviceDialogProps) {
  async function remove() {
    try {
      await call(removeDevice, { eventId, deviceId: device.id });
      toast.success(deviceRemoved);
      onRemoved();
      onClose();
    } catch (error) {
      toast.error(messageFrom(error, outage));
    }
  }

  return (
    <ConfirmDanger
      title={`Remove ${device.name}?`}
      phrase={device.name}
      phraseLabel="Type the device name to confirm"
      confirm="Remove device"
      cancelLabel="Keep device"
      onConfirm={remove}
      onClose={onClose}
    >
      {removalConsequences(device).map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </ConfirmDanger>
  );
}
