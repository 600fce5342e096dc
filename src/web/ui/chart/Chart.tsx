/**
 * A chart of our own: bars, or a line that rises. Positioned in percent, so that it fills the width without stretching its labels,
 * and without styles in the page, which the content security policy forbids.
 */
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './Chart.module.css';
import type { AxisLabel, ChartPoint } from './chart-parts.ts';

export interface ChartProps {
  shape: 'bars' | 'line';
  points: readonly ChartPoint[];
  /** How many points have room, if it is more than there are. */
  slots?: number;
  /** The top of the scale: see `scaleTop`. */
  top: number;
  axis: readonly AxisLabel[];
  /** A line across: no more can be sold. */
  limit?: number | undefined;
  /** A dashed line from the last point to the last slot. */
  outlook?: number | undefined;
  /** The element that says in words what the chart shows. */
  labelledBy: string;
}

const BAR_WIDTH = 0.8;

export function Chart({ shape, points, slots = points.length, top, axis, limit, outlook, labelledBy }: ChartProps) {
  const left = (slot: number) => (slot / slots) * 100;
  const height = (value: number) => (Math.max(0, value) / top) * 100;

  return (
    <div className={styles.chart}>
      <div className={styles.scale} aria-hidden="true">
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{value.toLocaleString('en-US')}</span>
        ))}
      </div>
      <svg className={styles.plot} role="img" aria-labelledby={labelledBy}>
        {[0, 50, 100].map((y) => (
          <line key={y} className={styles.grid} x1="0" x2="100%" y1={`${y}%`} y2={`${y}%`} />
        ))}
        {limit !== undefined && (
          <line
            className={styles.limit}
            x1="0"
            x2="100%"
            y1={`${100 - height(limit)}%`}
            y2={`${100 - height(limit)}%`}
          />
        )}
        {shape === 'line' && <Line points={points} left={left} height={height} outlook={outlook} />}
        {points.map(({ key, value, title }, slot) => (
          <rect
            key={key}
            className={shape === 'bars' ? styles.bar : styles.hover}
            x={`${left(slot + (1 - BAR_WIDTH) / 2)}%`}
            width={`${left(BAR_WIDTH)}%`}
            y={shape === 'bars' ? `${100 - height(value)}%` : '0'}
            height={shape === 'bars' ? `${height(value)}%` : '100%'}
          >
            <title>{title}</title>
          </rect>
        ))}
      </svg>
      <svg className={styles.axis} aria-hidden="true">
        {axis.map(({ at, text }) => (
          <text
            key={text}
            className={classNames(left(at) < 4 && styles.first, left(at) > 96 && styles.last)}
            x={`${left(at)}%`}
            y="14"
          >
            {text}
          </text>
        ))}
      </svg>
    </div>
  );
}

/** Stretched to the plot: its strokes keep their width. */
function Line({
  points,
  left,
  height,
  outlook,
}: {
  points: readonly ChartPoint[];
  left: (slot: number) => number;
  height: (value: number) => number;
  outlook: number | undefined;
}) {
  const at = (slot: number, value: number) => `${round(left(slot))} ${round(100 - height(value))}`;
  const path = points.map(({ value }, slot) => at(slot + 0.5, value)).join('L');
  const last = points.at(-1);
  const end = points.length - 0.5;
  return (
    <svg className={styles.stretched} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      <path className={styles.area} d={`M${path}L${at(end, 0)}L${at(0.5, 0)}Z`} />
      <path className={styles.line} d={points.length > 1 ? `M${path}` : `M${at(0, last?.value ?? 0)}L${path}`} />
      {outlook !== undefined && last && (
        <path className={styles.outlook} d={`M${at(end, last.value)}L100 ${round(100 - height(outlook))}`} />
      )}
    </svg>
  );
}

const round = (value: number) => Math.round(value * 100) / 100;
