import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTorch } from './use-torch.ts';

export type CameraState = 'off' | 'starting' | 'on' | 'denied' | 'missing';
type Facing = 'environment' | 'user';

const HIDDEN_LIMIT_MS = 3 * 60_000;

/** The camera behind a video element: on and off, front and back, and its torch. */
export function useCamera(video: RefObject<HTMLVideoElement | null>) {
  const [state, setState] = useState<CameraState>('off');
  const [canFlip, setCanFlip] = useState(false);
  const torch = useTorch();
  const stream = useRef<MediaStream | null>(null);
  const facing = useRef<Facing>('environment');
  /** A start that a later start or stop has overtaken lets go of its stream. */
  const turn = useRef(0);

  function release() {
    turn.current += 1;
    if (stream.current) closeStream(stream.current);
    stream.current = null;
    if (video.current) video.current.srcObject = null;
    torch.follow(null);
  }

  function stop() {
    release();
    setState('off');
  }

  async function start() {
    release();
    const mine = turn.current;
    setState('starting');
    try {
      const opened = await openCamera(facing.current);
      if (mine !== turn.current) return closeStream(opened);
      stream.current = opened;
      await show(opened, video.current);
      const hasTwo = await hasTwoCameras();
      if (mine !== turn.current) return;
      const track = opened.getVideoTracks()[0] ?? null;
      track?.addEventListener('ended', stop);
      torch.follow(track);
      setCanFlip(hasTwo);
      setState('on');
    } catch (error) {
      if (mine !== turn.current) return;
      release();
      setState(error instanceof DOMException && error.name === 'NotAllowedError' ? 'denied' : 'missing');
    }
  }

  function flip() {
    facing.current = facing.current === 'environment' ? 'user' : 'environment';
    return start();
  }

  const leave = useEffectEvent(release);
  useEffect(() => () => leave(), []);
  useStopWhenHidden(state === 'on', stop);

  return { state, start, stop, canFlip, flip, torch };
}

/** A phone that lies in a pocket must not film for the rest of the night. */
function useStopWhenHidden(isOn: boolean, stop: () => void) {
  const stopNow = useEffectEvent(stop);
  useEffect(() => {
    if (!isOn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onVisibility = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => stopNow(), HIDDEN_LIMIT_MS);
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [isOn]);
}

function openCamera(facing: Facing): Promise<MediaStream> {
  // Absent on a plain-http page, whatever the types say.
  if (!('mediaDevices' in navigator)) return Promise.reject(new Error('no camera on this page'));
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: facing }, width: { ideal: 1280 }, height: { ideal: 720 } },
  });
}

async function show(stream: MediaStream, video: HTMLVideoElement | null) {
  if (!video) return;
  video.srcObject = stream;
  await video.play();
}

function closeStream(stream: MediaStream) {
  for (const track of stream.getTracks()) track.stop();
}

async function hasTwoCameras(): Promise<boolean> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter((device) => device.kind === 'videoinput').length > 1;
}
