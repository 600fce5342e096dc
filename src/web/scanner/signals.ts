/** What the attendant hears and feels. Colour, shape and words say the same on the screen. */
import { type Look, lookOf, type Outcome } from './outcome.ts';

type Tone = { hertz: number; ms: number; wave: OscillatorType };

const tones: Record<Look, Tone[]> = {
  admitted: [
    { hertz: 880, ms: 90, wave: 'sine' },
    { hertz: 1320, ms: 140, wave: 'sine' },
  ],
  'already-scanned': [
    { hertz: 220, ms: 130, wave: 'square' },
    { hertz: 220, ms: 130, wave: 'square' },
  ],
  refused: [{ hertz: 150, ms: 450, wave: 'sawtooth' }],
  unreachable: [
    { hertz: 520, ms: 110, wave: 'triangle' },
    { hertz: 390, ms: 160, wave: 'triangle' },
  ],
};

const pulses: Record<Look, number[]> = {
  admitted: [40],
  'already-scanned': [40, 60, 40],
  refused: [200],
  unreachable: [20, 40, 20],
};

let speaker: AudioContext | null = null;

/** Browsers keep a page silent until it is touched: call this from a tap. */
export function unlockSound() {
  speaker ??= new AudioContext();
  void speaker.resume();
}

export function signal(kind: Outcome['kind'], isMuted: boolean) {
  if ('vibrate' in navigator) navigator.vibrate(pulses[lookOf(kind)]);
  if (!isMuted && speaker?.state === 'running') sound(speaker, tones[lookOf(kind)]);
}

function sound(audio: AudioContext, sequence: Tone[]) {
  let at = audio.currentTime;
  for (const { hertz, ms, wave } of sequence) {
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
