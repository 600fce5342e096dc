/** Chooses the camera: the saved one, otherwise the one facing away from the user. */

export interface CameraChoice {
  deviceId?: string | undefined;
  facing?: 'environment' | 'user';
}

export async function openCamera({ deviceId, facing = 'environment' }: CameraChoice): Promise<MediaStream> {
  // Undefined on plain http, despite its type.
  if (!('mediaDevices' in navigator)) throw new Error('no camera on this page');
  if (deviceId === undefined) return open({ facingMode: { ideal: facing } });
  // As `ideal`, another camera with the requested resolution would win.
  return open({ deviceId: { exact: deviceId } }).catch((error: unknown) => {
    if (isCameraGone(error)) return open({ facingMode: { ideal: facing } });
    throw error;
  });
}

const open = (which: MediaTrackConstraints) =>
  navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { ...which, width: { ideal: 1280 }, height: { ideal: 720 } },
  });

const isCameraGone = (error: unknown) =>
  error instanceof Error && (error.name === 'OverconstrainedError' || error.name === 'NotFoundError');

/** Switches between a phone's front and back camera; cameras without a direction take turns. */
export function otherCamera(
  track: Pick<MediaStreamTrack, 'getSettings'> | undefined,
  cameras: readonly Pick<MediaDeviceInfo, 'deviceId'>[],
): CameraChoice {
  const { facingMode, deviceId } = track?.getSettings() ?? {};
  if (facingMode === 'environment') return { facing: 'user' };
  if (facingMode === 'user') return { facing: 'environment' };
  const next = cameras[(cameras.findIndex((camera) => camera.deviceId === deviceId) + 1) % cameras.length];
  return { deviceId: next?.deviceId };
}

const KEY = 'scanner-camera';

export function storedCamera(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function storeCamera(deviceId: string | undefined) {
  try {
    if (deviceId) localStorage.setItem(KEY, deviceId);
  } catch {
    // Without storage, the choice lasts until the page closes.
  }
}
