/**
 * Color, shape, sound and vibration of each check-in result in one table, so no two style or sound alike. Each result
 * can be told apart without seeing colors, or without looking at all.
 */
import { checkInHeadlines } from '#messages/check-in.ts';
import { type ShownResult } from '#messages/check-in-guide.ts';

/** A check-in result, or its undo. */
export type ResultStyleName = ShownResult | 'undone';

/** `go`: admit. `ask`: staff must decide. `stop`: reject. `wait`: no decision. */
type Decision = 'go' | 'ask' | 'stop' | 'wait';

type Tone = 'green' | 'blue' | 'olive' | 'amber' | 'red' | 'plum' | 'slate' | 'ink';

interface Note {
  hertz: number;
  ms: number;
  wave: OscillatorType;
}

export interface ResultStyle {
  /** Shown above the message; `null` if the message starts with it. */
  headline: string | null;
  decision: Decision;
  /** A color from `scanner/scanner.module.css`, dark enough for every scanner background. */
  tone: Tone;
  /** SVG path on a 32 px grid. */
  outline: string;
  sign: string;
  /** Stroked instead of filled. */
  isHollow?: true;
  notes: readonly Note[];
  /** Vibration pattern in milliseconds: on, off, on, ... */
  pulses: readonly number[];
}

const sine = (hertz: number, ms: number): Note => ({ hertz, ms, wave: 'sine' });
const buzz = (hertz: number, ms: number): Note => ({ hertz, ms, wave: 'square' });
const growl = (hertz: number, ms: number): Note => ({ hertz, ms, wave: 'sawtooth' });
const hum = (hertz: number, ms: number): Note => ({ hertz, ms, wave: 'triangle' });

const CROSS = 'M10.5 10.5l11 11M21.5 10.5l-11 11';

export const resultStyles: Record<ResultStyleName, ResultStyle> = {
  admitted: {
    headline: null,
    decision: 'go',
    tone: 'green',
    outline: 'M16 1a15 15 0 1 1 0 30a15 15 0 0 1 0-30z',
    sign: 'M9 16.5l5 5L23.5 11',
    notes: [sine(880, 90), sine(1320, 140)],
    pulses: [40],
  },
  'admitted-offline': {
    headline: null,
    decision: 'go',
    tone: 'olive',
    outline: 'M16 2.5a13.5 13.5 0 1 1 0 27a13.5 13.5 0 0 1 0-27z',
    sign: 'M9.5 16.5l4.5 4.5L22.5 11.5',
    isHollow: true,
    notes: [sine(880, 90), sine(1320, 90), hum(660, 180)],
    pulses: [40, 40, 40],
  },
  'handed-out': {
    headline: null,
    decision: 'go',
    tone: 'blue',
    outline: 'M2 9.5h28v6H28V30.5H4v-15H2z',
    sign: 'M16 9.5v21M16 9.5q-7 0-7-4t7 4q7-8 7-4t-7 4',
    notes: [sine(990, 90), sine(1180, 90), sine(990, 140)],
    pulses: [40, 80, 40],
  },
  'handed-out-offline': {
    headline: null,
    decision: 'go',
    tone: 'blue',
    outline: 'M3 11h26v5H27V29.5H5V16H3z',
    sign: 'M16 11v18M16 11q-6.5 0-6.5-3.8t6.5 3.8q6.5-7.6 6.5-3.8t-6.5 3.8',
    isHollow: true,
    notes: [sine(990, 90), sine(1180, 90), hum(740, 180)],
    pulses: [40, 80, 40, 40],
  },
  'already-in': {
    headline: checkInHeadlines['already-in'],
    decision: 'ask',
    tone: 'amber',
    outline: 'M10 1.5h12L30.5 10v12L22 30.5H10L1.5 22V10z',
    sign: 'M16 8v9.5M16 23.5v.2',
    notes: [buzz(220, 130), buzz(220, 130)],
    pulses: [40, 60, 40, 60, 90],
  },
  'already-handed-out': {
    headline: checkInHeadlines['already-handed-out'],
    decision: 'ask',
    tone: 'amber',
    outline: 'M2 9.5h28v7H28.5V30.5H3.5v-14H2z',
    sign: 'M16 13v8M16 26v.2',
    notes: [buzz(247, 130), buzz(220, 130)],
    pulses: [40, 60, 90, 60, 40],
  },
  refunding: {
    headline: checkInHeadlines.refunding,
    decision: 'ask',
    tone: 'amber',
    outline: 'M16 1l13 7.5v15L16 31L3 23.5v-15z',
    sign: 'M16 9v7.5l5 3.5',
    notes: [buzz(262, 110), buzz(196, 220)],
    pulses: [120, 60, 40],
  },
  refunded: {
    headline: checkInHeadlines.refunded,
    decision: 'stop',
    tone: 'red',
    outline: 'M1.5 9L9 1.5h21.5v29H9L1.5 23z',
    sign: 'M23 21v-3.5a4 4 0 0 0-4-4H10M14 9l-4.5 4.5L14 18',
    notes: [growl(150, 220), growl(110, 300)],
    pulses: [200, 80, 60],
  },
  void: {
    headline: checkInHeadlines.void,
    decision: 'stop',
    tone: 'red',
    outline: 'M16 .5L31.5 16L16 31.5L.5 16z',
    sign: 'M11.5 11.5l9 9M20.5 11.5l-9 9',
    notes: [growl(150, 450)],
    pulses: [200],
  },
  disputed: {
    headline: checkInHeadlines.disputed,
    decision: 'ask',
    tone: 'amber',
    outline: 'M16 1l12.5 4v11q0 9.5-12.5 15Q3.5 25.5 3.5 16V5z',
    sign: 'M20.5 11.5q-1-2.5-4.5-2.5c-5.5 0-5.5 6 0 6s5.5 6.5 0 6.5q-3.5 0-4.5-2.5M16 6.5v18',
    notes: [buzz(330, 90), buzz(262, 90), buzz(330, 90)],
    pulses: [40, 40, 120, 40, 40],
  },
  'event-cancelled': {
    headline: checkInHeadlines['event-cancelled'],
    decision: 'stop',
    tone: 'red',
    outline: 'M2 5.5h5V1h5v4.5h8V1h5v4.5h5V31H2z',
    sign: 'M11 13.5l10 10M21 13.5l-10 10',
    notes: [growl(196, 160), growl(165, 160), growl(131, 300)],
    pulses: [300, 80, 300],
  },
  'not-open': {
    headline: checkInHeadlines['not-open'],
    decision: 'stop',
    tone: 'slate',
    outline: 'M16 2a14 14 0 1 1 0 28a14 14 0 0 1 0-28z',
    sign: 'M16 8.5V16l-5 4',
    notes: [hum(330, 120), sine(440, 120)],
    pulses: [60, 120, 60],
  },
  closed: {
    headline: checkInHeadlines.closed,
    decision: 'stop',
    tone: 'plum',
    outline: 'M6 13.5h3V10a7 7 0 0 1 14 0v3.5h3V31H6z',
    sign: 'M12.5 13.5V10a3.5 3.5 0 0 1 7 0v3.5M16 20v5',
    notes: [growl(196, 120), hum(147, 260)],
    pulses: [250, 60, 60],
  },
  'other-event': {
    headline: checkInHeadlines['other-event'],
    decision: 'stop',
    tone: 'plum',
    outline: 'M1 6.5h30v6a3.5 3.5 0 0 0 0 7v6H1v-6a3.5 3.5 0 0 0 0-7z',
    sign: 'M9.5 16h12M17 11l5 5-5 5',
    notes: [growl(150, 160), sine(440, 180)],
    pulses: [150, 60, 150],
  },
  transferred: {
    headline: checkInHeadlines.transferred,
    decision: 'stop',
    tone: 'plum',
    outline: 'M16 1l15 11.5L25.5 30.5h-19L1 12.5z',
    sign: 'M9.5 14h12l-3.5-3.5M22.5 20h-12l3.5 3.5',
    notes: [growl(165, 140), sine(520, 120), growl(165, 160)],
    pulses: [150, 60, 40, 60, 150],
  },
  unknown: {
    headline: checkInHeadlines.unknown,
    decision: 'stop',
    tone: 'red',
    outline: 'M5 1.5h22q3.5 0 3.5 3.5v22q0 3.5-3.5 3.5H5q-3.5 0-3.5-3.5V5Q1.5 1.5 5 1.5z',
    sign: CROSS,
    notes: [growl(120, 160), growl(120, 260)],
    pulses: [90, 60, 250],
  },
  'not-on-list': {
    headline: checkInHeadlines['not-on-list'],
    decision: 'ask',
    tone: 'amber',
    outline: 'M16 1.5L31.5 29.5H.5z',
    sign: 'M12.8 14q.4-2.8 3.2-2.8t3.2 2.9q0 2-3.2 3.9v2.2M16 25v.2',
    notes: [buzz(262, 110), buzz(392, 160)],
    pulses: [40, 120, 40],
  },
  unreachable: {
    headline: checkInHeadlines.unreachable,
    decision: 'wait',
    tone: 'slate',
    outline: 'M9 27a7.5 7.5 0 0 1-1-14.9 9 9 0 0 1 17.3 1.6A6.8 6.8 0 0 1 24 27z',
    sign: 'M12 15.5l8 8M20 15.5l-8 8',
    notes: [hum(520, 110), hum(390, 160)],
    pulses: [20, 40, 20],
  },
  undone: {
    headline: null,
    decision: 'wait',
    tone: 'ink',
    outline: 'M8 3h16q5 0 5 5v16q0 5-5 5H8q-5 0-5-5V8q0-5 5-5z',
    sign: 'M21.5 21v-2.5a4 4 0 0 0-4-4H10.5M14.5 10l-4.5 4.5 4.5 4.5',
    isHollow: true,
    notes: [hum(390, 90), hum(520, 90)],
    pulses: [60],
  },
};

export function styleNameOf({ kind, isUndone }: { kind: ShownResult; isUndone: boolean }): ResultStyleName {
  return isUndone ? 'undone' : kind;
}

/**
 * Splits `Let them in: Floor.` into headline and detail. `joint` keeps the punctuation for screen readers and copying;
 * two text sizes don't need the colon.
 */
export function headlineAndRest(
  style: ResultStyleName,
  msg: string,
): { headline: string; joint: string; rest: string } {
  const { headline } = resultStyles[style];
  if (headline !== null) return { headline, joint: ' ', rest: msg };
  const end = /[:.]\s*/.exec(msg);
  if (!end) return { headline: msg, joint: '', rest: '' };
  return { headline: msg.slice(0, end.index), joint: end[0], rest: msg.slice(end.index + end[0].length) };
}
