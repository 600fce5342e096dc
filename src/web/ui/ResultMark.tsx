import type { ShownResult } from '#contract/door-guide.ts';

interface Mark {
  ground: string;
  sign: string;
  /** An outline instead of a solid shape: what is not final yet. */
  isHollow?: true;
}

const square = 'M5.5 2h21Q30 2 30 5.5v21Q30 30 26.5 30h-21Q2 30 2 26.5v-21Q2 2 5.5 2z';
const disc = 'M16 2a14 14 0 1 1 0 28a14 14 0 0 1 0-28z';
const hexagon = 'M9 3h14l7.5 13L23 29H9L1.5 16z';
const tick = 'M9.5 16.5l4.5 4.5L22.5 11.5';
const cross = 'M10.5 10.5l11 11M21.5 10.5l-11 11';
const back = 'M13.5 10L9.5 14l4 4M10 14h8a3.8 3.8 0 0 1 0 7.6h-4';

/** Each result has its own outline or sign, so that colour is never the only difference. */
const marks: Record<ShownResult, Mark> = {
  admitted: { ground: disc, sign: tick },
  'admitted-offline': { ground: disc, sign: tick, isHollow: true },
  'already-in': { ground: 'M10.2 2h11.6L30 10.2v11.6L21.8 30H10.2L2 21.8V10.2z', sign: 'M16 8.5v9.5M16 23v.3' },
  unknown: { ground: square, sign: cross },
  'not-on-list': {
    ground: 'M16 1.8L30.2 16L16 30.2L1.8 16z',
    sign: 'M12.8 12.8a3.3 3.3 0 1 1 4.7 3q-1.5.8-1.5 2.6M16 22.6v.2',
    isHollow: true,
  },
  'other-event': { ground: 'M2 5h17.5L30.5 16L19.5 27H2z', sign: 'M7.5 16h13M16 11.5l4.5 4.5l-4.5 4.5' },
  refunding: { ground: hexagon, sign: back, isHollow: true },
  refunded: { ground: hexagon, sign: back },
  void: { ground: square, sign: 'M9 16h14' },
  disputed: { ground: 'M16 1.5L29 6v9.5Q29 25.5 16 30.5Q3 25.5 3 15.5V6z', sign: 'M16 8.5v9M16 22.5v.3' },
  'event-cancelled': {
    ground: 'M2 3.5h28Q31 3.5 30.4 5L17 29.5Q16 31 15 29.5L1.6 5Q1 3.5 2 3.5z',
    sign: 'M12 8.5l8 8M20 8.5l-8 8',
  },
  unreachable: {
    ground: 'M9 27.5a7.5 7.5 0 0 1-1-14.9 9 9 0 0 1 17.3 1.6A6.8 6.8 0 0 1 24 27.5z',
    sign: 'M12.5 15.5l7 7M19.5 15.5l-7 7',
  },
};

export function ResultMark({ kind, className }: { kind: ShownResult; className?: string | undefined }) {
  const { ground, sign, isHollow } = marks[kind];
  return (
    <svg className={className} viewBox="0 0 32 32" aria-hidden="true">
      <path
        d={ground}
        fill={isHollow ? '#fff' : 'currentColor'}
        stroke="currentColor"
        strokeWidth={isHollow ? 3 : 0}
        strokeLinejoin="round"
      />
      <path
        d={sign}
        fill="none"
        stroke={isHollow ? 'currentColor' : '#fff'}
        strokeWidth="3.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
