import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type CameraChoice, openCamera, otherCamera, storeCamera, storedCamera } from './camera-choice.ts';
import { useIdleTimeout } from './use-idle-timeout.ts';
import { useTorch } from './use-torch.ts';

/** `paused`: stopped after a while without activity. */
export type CameraState = 'off' | 'paused' | 'starting' | 'on' | 'denied' | 'missing';

/** Controls the camera behind a video element: on and off, which camera, and its flashlight. */
export function useCamera(video: RefObject<HTMLVideoElement | null>) {
  const [state, setState] = useState<CameraState>('off');
  const [cameras, setCameras] = useState<readonly MediaDeviceInfo[]>([]);
  const [deviceId, setDeviceId] = useState<string>();
  const torch = useTorch();
  const stream = useRef<MediaStream | null>(null);
  /** Increments with each start and stop; an outdated start closes its stream. */
  const generation = useRef(0);

  function release() {
    generation.current += 1;
    if (stream.current) closeStream(stream.current);
    stream.current = null;
    if (video.current) video.current.srcObject = null;
    torch.setTrack(null);
  }

  function stop(as: CameraState = 'off') {
    release();
    setState(as);
  }

  async function start(choice: CameraChoice = { deviceId: storedCamera() }) {
    release();
    const current = generation.current;
    setState('starting');
    try {
      const opened = await openCamera(choice);
      if (current !== generation.current) return closeStream(opened);
      stream.current = opened;
      await show(opened, video.current);
      const devices = await navigator.mediaDevices.enumerateDevices();
      if (current !== generation.current) return;
      const track = opened.getVideoTracks()[0] ?? null;
      track?.addEventListener('ended', () => stop());
      torch.setTrack(track);
      setCameras(devices.filter(({ kind }) => kind === 'videoinput'));
      setDeviceId(track?.getSettings().deviceId);
      setState('on');
    } catch (error) {
      if (current !== generation.current) return;
      release();
      setState(error instanceof DOMException && error.name === 'NotAllowedError' ? 'denied' : 'missing');
    }
  }

  /** Saved for the next visit. */
  async function choose(choice: CameraChoice) {
    storeCamera(choice.deviceId);
    await start(choice);
    storeCamera(stream.current?.getVideoTracks()[0]?.getSettings().deviceId);
  }

  const cleanUp = useEffectEvent(release);
  useEffect(() => () => cleanUp(), []);
  const keepAwake = useIdleTimeout(state === 'on', () => stop('paused'));

  return {
    state,
    start: () => start(),
    stop: () => stop(),
    /** Resets the idle timeout. */
    keepAwake,
    cameras,
    deviceId,
    choose: (id: string) => choose({ deviceId: id }),
    flip: () => choose(otherCamera(stream.current?.getVideoTracks()[0], cameras)),
    torch,
  };
}

export type Camera = ReturnType<typeof useCamera>;

async function show(stream: MediaStream, video: HTMLVideoElement | null) {
  if (!video) return;
  video.srcObject = stream;
  await video.play();
}

function closeStream(stream: MediaStream) {
  for (const track of stream.getTracks()) track.stop();
}
