import { type Look, lookOf, type Outcome } from './outcome.ts';

/** Each outcome has its own outline, so that colour is never the only difference. */
const marks: Record<Look, { ground: string; sign: string }> = {
  admitted: { ground: 'M16 1a15 15 0 1 1 0 30a15 15 0 0 1 0-30z', sign: 'M9 16.5l5 5L23.5 11' },
  'already-scanned': { ground: 'M10 1.5h12L30.5 10v12L22 30.5H10L1.5 22V10z', sign: 'M16 8v10M16 23v.5' },
  refused: {
    ground: 'M5 1.5h22q3.5 0 3.5 3.5v22q0 3.5-3.5 3.5H5q-3.5 0-3.5-3.5V5Q1.5 1.5 5 1.5z',
    sign: 'M10 10l12 12M22 10L10 22',
  },
  unreachable: {
    ground: 'M9 27a7.5 7.5 0 0 1-1-14.9 9 9 0 0 1 17.3 1.6A6.8 6.8 0 0 1 24 27z',
    sign: 'M12 15.5l8 8M20 15.5l-8 8',
  },
};

export function ResultMark({ kind, className }: { kind: Outcome['kind']; className?: string | undefined }) {
  const { ground, sign } = marks[lookOf(kind)];
  return (
    <svg className={className} viewBox="0 0 32 32" aria-hidden="true">
      <path d={ground} fill="currentColor" />
      <path d={sign} fill="none" stroke="#fff" strokeWidth="3.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
