import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

export type CameraState = 'off' | 'starting' | 'on' | 'denied' | 'missing';
type Facing = 'environment' | 'user';

const HIDDEN_LIMIT_MS = 3 * 60_000;

/** The camera behind a video element: on and off, front and back, and its torch. */
export function useCamera(video: RefObject<HTMLVideoElement | null>) {
  const [state, setState] = useState<CameraState>('off');
  const [canFlip, setCanFlip] = useState(false);
  const [torch, setTorch] = useState<'absent' | 'off' | 'on'>('absent');
  const stream = useRef<MediaStream | null>(null);
  const facing = useRef<Facing>('environment');
  /** A start that a later start or stop has overtaken lets go of its stream. */
  const turn = useRef(0);

  const release = useCallback(() => {
    turn.current += 1;
    for (const track of stream.current?.getTracks() ?? []) track.stop();
    stream.current = null;
    if (video.current) video.current.srcObject = null;
    setTorch('absent');
  }, [video]);

  const stop = useCallback(() => {
    release();
    setState('off');
  }, [release]);

  const start = useCallback(async () => {
    release();
    const mine = turn.current;
    setState('starting');
    try {
      const opened = await openCamera(facing.current);
      if (mine !== turn.current) return closeStream(opened);
      stream.current = opened;
      const track = opened.getVideoTracks()[0];
      track?.addEventListener('ended', stop);
      if (video.current) {
        video.current.srcObject = opened;
        await video.current.play();
      }
      if (mine !== turn.current) return;
      setTorch(track && hasTorch(track) ? 'off' : 'absent');
      setCanFlip(await hasTwoCameras());
      setState('on');
    } catch (error) {
      if (mine !== turn.current) return;
      release();
      setState(error instanceof DOMException && error.name === 'NotAllowedError' ? 'denied' : 'missing');
    }
  }, [release, stop, video]);

  useEffect(() => release, [release]);
  useStopWhenHidden(state === 'on', stop);

  return {
    state,
    start,
    stop,
    canFlip,
    flip() {
      facing.current = facing.current === 'environment' ? 'user' : 'environment';
      return start();
    },
    torch,
    async toggleTorch() {
      const next = torch === 'on' ? 'off' : 'on';
      await stream.current?.getVideoTracks()[0]?.applyConstraints({ advanced: [{ torch: next === 'on' }] });
      setTorch(next);
    },
  };
}

/** A phone that lies in a pocket must not film for the rest of the night. */
function useStopWhenHidden(isOn: boolean, stop: () => void) {
  useEffect(() => {
    if (!isOn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onVisibility = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(stop, HIDDEN_LIMIT_MS);
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [isOn, stop]);
}

function openCamera(facing: Facing): Promise<MediaStream> {
  // Absent on a plain-http page, whatever the types say.
  if (!('mediaDevices' in navigator)) return Promise.reject(new Error('no camera on this page'));
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: facing }, width: { ideal: 1280 }, height: { ideal: 720 } },
  });
}

function closeStream(stream: MediaStream) {
  for (const track of stream.getTracks()) track.stop();
}

function hasTorch(track: MediaStreamTrack): boolean {
  return 'getCapabilities' in track && 'torch' in track.getCapabilities() && track.getCapabilities().torch === true;
}

async function hasTwoCameras(): Promise<boolean> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter((device) => device.kind === 'videoinput').length > 1;
}
