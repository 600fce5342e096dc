/** Sounds and vibrations for a check-in result. The screen shows the same by color, shape and text. */

import { type ResultStyle, resultStyles, styleNameOf } from '#web/ui/check-in/result-styles.ts';
import type { CheckInResult } from './check-in-result.ts';

let speaker: AudioContext | null = null;

/** Browsers block audio until a user gesture: call this from one. */
export function unlockSound() {
  speaker ??= new AudioContext();
  void speaker.resume();
}

/** Unlocks on every gesture: a phone suspends audio after a call or a locked screen. Returns a cleanup function. */
export function unlockSoundOnGesture(): () => void {
  const gestures = ['pointerdown', 'keydown'] as const;
  for (const gesture of gestures) document.addEventListener(gesture, unlockSound, { capture: true, passive: true });
  return () => {
    for (const gesture of gestures) document.removeEventListener(gesture, unlockSound, { capture: true });
  };
}

export function signal(result: CheckInResult, isMuted: boolean) {
  const { notes, pulses } = resultStyles[styleNameOf(result)];
  if ('vibrate' in navigator) navigator.vibrate([...pulses]);
  if (!isMuted && speaker?.state === 'running') sound(speaker, notes);
}

function sound(audio: AudioContext, notes: ResultStyle['notes']) {
  let at = audio.currentTime;
  for (const { hertz, ms, wave } of notes) {
    const oscillator = new OscillatorNode(audio, { frequency: hertz, type: wave });
    const volume = new GainNode(audio, { gain: 0.25 });
    const until = at + ms / 1000;
    // Fades out, because a hard stop clicks.
    volume.gain.setTargetAtTime(0, until - 0.03, 0.01);
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(at);
    oscillator.stop(until);
    at = until + 0.03;
  }
}

const MUTE_KEY = 'scanner-muted';

export function storedMute(): boolean {
  try {
    return localStorage.getItem(MUTE_KEY) === '1';
  } catch {
    return false;
  }
}

export function storeMute(isMuted: boolean) {
  try {
    localStorage.setItem(MUTE_KEY, isMuted ? '1' : '0');
  } catch {
    // Without storage, the choice lasts until the page closes.
  }
}
