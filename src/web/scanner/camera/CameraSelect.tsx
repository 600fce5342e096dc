import { SelectField } from '#web/ui/form/fields.tsx';
import type { Camera } from './use-camera.ts';

/** Only with several cameras. Their labels are empty until camera access is granted. */
export function CameraSelect({ camera: { cameras, deviceId, choose } }: { camera: Camera }) {
  if (cameras.length < 2 || deviceId === undefined) return null;
  return (
    <SelectField
      label="Camera"
      name="camera"
      value={deviceId}
      onChange={(event) => void choose(event.currentTarget.value)}
      options={cameras.map((camera, index) => ({
        value: camera.deviceId,
        label: camera.label || `Camera ${index + 1}`,
      }))}
    />
  );
}
