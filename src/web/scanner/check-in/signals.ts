/** What the attendant hears and feels. Colour, shape and words say the same on the screen. */

import { lookOf, type ResultLook, resultLooks } from '#web/ui/result-looks.ts';
import type { Outcome } from './check-in-result.ts';

let speaker: AudioContext | null = null;

/** Browsers keep a page silent until it is touched: call this from a tap. */
export function unlockSound() {
  speaker ??= new AudioContext();
  void speaker.resume();
}

/** At every touch and key: after a call or a locked screen, a phone is silent again. Returns how to stop it. */
export function unlockSoundWhenTouched(): () => void {
  const touches = ['pointerdown', 'keydown'] as const;
  for (const touch of touches) document.addEventListener(touch, unlockSound, { capture: true, passive: true });
  return () => {
    for (const touch of touches) document.removeEventListener(touch, unlockSound, { capture: true });
  };
}

export function signal(outcome: Outcome, isMuted: boolean) {
  const { notes, pulses } = resultLooks[lookOf(outcome)];
  if ('vibrate' in navigator) navigator.vibrate([...pulses]);
  if (!isMuted && speaker?.state === 'running') sound(speaker, notes);
}

function sound(audio: AudioContext, notes: ResultLook['notes']) {
  let at = audio.currentTime;
  for (const { hertz, ms, wave } of notes) {
    const oscillator = new OscillatorNode(audio, { frequency: hertz, type: wave });
    const volume = new GainNode(audio, { gain: 0.25 });
    const until = at + ms / 1000;
    // A hard stop clicks.
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
    // The choice then lasts as long as the page.
  }
}
