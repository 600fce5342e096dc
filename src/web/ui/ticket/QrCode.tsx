import { useMemo } from 'react';
import { encode } from 'uqr';
import styles from './QrCode.module.css';

const QUIET_ZONE = 4;

/** Always black on white, even in dark mode: scanners in dim light need it. */
export function QrCode({
  value,
  label = `QR code of ${value}`,
  size = 150,
}: {
  value: string;
  label?: string;
  size?: number;
}) {
  const { d, modules } = useMemo(() => outline(value), [value]);
  return (
    <svg
      className={styles.code}
      width={size}
      height={size}
      viewBox={`0 0 ${modules} ${modules}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width={modules} height={modules} fill="#fff" />
      <path d={d} fill="#000" />
    </svg>
  );
}

/** One bar per horizontal run of dark modules. */
function outline(value: string): { d: string; modules: number } {
  const { data, size } = encode(value, { ecc: 'M', boostEcc: false, border: QUIET_ZONE });
  const bars = data.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`));
  return { d: bars.join(''), modules: size };
}

function runsOf(row: boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  row.forEach((isDark, x) => {
    const last = runs.at(-1);
    if (isDark && last && last[0] + last[1] === x) last[1] += 1;
    else if (isDark) runs.push([x, 1]);
  });
  return runs;
}
