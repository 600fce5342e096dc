import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type CameraChoice, openCamera, otherCamera, storeCamera, storedCamera } from './camera-choice.ts';
import { useRest } from './use-idle-timeout.ts';
import { useTorch } from './use-torch.ts';

/** `resting`: stopped by itself, because nobody needed it. */
export type CameraState = 'off' | 'resting' | 'starting' | 'on' | 'denied' | 'missing';

/** The camera behind a video element: on and off, which one, and its torch. */
export function useCamera(video: RefObject<HTMLVideoElement | null>) {
  const [state, setState] = useState<CameraState>('off');
  const [cameras, setCameras] = useState<readonly MediaDeviceInfo[]>([]);
  const [deviceId, setDeviceId] = useState<string>();
  const torch = useTorch();
  const stream = useRef<MediaStream | null>(null);
  /** A start that a later start or stop has overtaken lets go of its stream. */
  const turn = useRef(0);

  function release() {
    turn.current += 1;
    if (stream.current) closeStream(stream.current);
    stream.current = null;
    if (video.current) video.current.srcObject = null;
    torch.follow(null);
  }

  function stop(as: CameraState = 'off') {
    release();
    setState(as);
  }

  async function start(choice: CameraChoice = { deviceId: storedCamera() }) {
    release();
    const mine = turn.current;
    setState('starting');
    try {
      const opened = await openCamera(choice);
      if (mine !== turn.current) return closeStream(opened);
      stream.current = opened;
      await show(opened, video.current);
      const devices = await navigator.mediaDevices.enumerateDevices();
      if (mine !== turn.current) return;
      const track = opened.getVideoTracks()[0] ?? null;
      track?.addEventListener('ended', () => stop());
      torch.follow(track);
      setCameras(devices.filter(({ kind }) => kind === 'videoinput'));
      setDeviceId(track?.getSettings().deviceId);
      setState('on');
    } catch (error) {
      if (mine !== turn.current) return;
      release();
      setState(error instanceof DOMException && error.name === 'NotAllowedError' ? 'denied' : 'missing');
    }
  }

  /** Remembered for the next start, also of another day. */
  async function choose(choice: CameraChoice) {
    storeCamera(choice.deviceId);
    await start(choice);
    storeCamera(stream.current?.getVideoTracks()[0]?.getSettings().deviceId);
  }

  const leave = useEffectEvent(release);
  useEffect(() => () => leave(), []);
  const stir = useRest(state === 'on', () => stop('resting'));

  return {
    state,
    start: () => start(),
    stop: () => stop(),
    /** Something was seen: the camera is needed. */
    stir,
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
