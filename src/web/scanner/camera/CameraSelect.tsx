import { SelectField } from '#web/ui/fields.tsx';
import type { Camera } from './use-camera.ts';

/** Where a device has several cameras. Its names for them come only once one was allowed. */
export function CameraSelect({ camera: { cameras, deviceId, choose } }: { camera: Camera }) {
  if (cameras.length < 2 || deviceId === undefined) return null;
  return (
    <SelectField
      label="Camera"
      name="camera"
      value={deviceId}
      onChange={(event) => void choose(event.currentTarget.value)}
      options={cameras.map((camera, place) => ({
        value: camera.deviceId,
        label: camera.label || `Camera ${place + 1}`,
      }))}
    />
  );
}
