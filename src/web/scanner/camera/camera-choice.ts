/** Which camera to open: the remembered one, else the one that looks away from whoever holds the phone. */

export interface CameraChoice {
  deviceId?: string | undefined;
  facing?: 'environment' | 'user';
}

export async function openCamera({ deviceId, facing = 'environment' }: CameraChoice): Promise<MediaStream> {
  // Absent on a plain-http page, whatever the types say.
  if (!('mediaDevices' in navigator)) throw new Error('no camera on this page');
  if (deviceId === undefined) return open({ facingMode: { ideal: facing } });
  // Only wished for, it would lose against another one whose pictures have the wished size.
  return open({ deviceId: { exact: deviceId } }).catch((error: unknown) => {
    if (isGone(error)) return open({ facingMode: { ideal: facing } });
    throw error;
  });
}

const open = (which: MediaTrackConstraints) =>
  navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { ...which, width: { ideal: 1280 }, height: { ideal: 720 } },
  });

const isGone = (error: unknown) =>
  error instanceof Error && (error.name === 'OverconstrainedError' || error.name === 'NotFoundError');

/** A phone's other side; of cameras that face nowhere in particular, the next. */
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
    // The choice then lasts as long as the page.
  }
}
