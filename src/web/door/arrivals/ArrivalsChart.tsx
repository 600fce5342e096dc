import { clockTime } from '#web/ui/data/format.ts';
import styles from './ArrivalsChart.module.css';
import { type ArrivalBars, labelledBars } from './arrival-bars.ts';

interface ArrivalsChartProps {
  chart: ArrivalBars;
  timezone: string;
  labelledBy: string;
}

/** Positioned in percent, so that the chart fills the width without stretching its labels. */
export function ArrivalsChart({ chart: { bars, top }, timezone, labelledBy }: ArrivalsChartProps) {
  const width = 100 / bars.length;
  const left = (from: number) => bars.findIndex((bar) => bar.from === from) * width;
  const time = (instant: number) => clockTime(instant, timezone);

  return (
    <div className={styles.chart}>
      <div className={styles.scale} aria-hidden="true">
        <span>{top}</span>
        <span>{top / 2}</span>
        <span>0</span>
      </div>
      <svg className={styles.plot} role="img" aria-labelledby={labelledBy}>
        {[0, 50, 100].map((height) => (
          <line key={height} className={styles.line} x1="0" x2="100%" y1={`${height}%`} y2={`${height}%`} />
        ))}
        {bars.map(({ from, admitted }) => (
          <rect
            key={from}
            className={styles.bar}
            x={`${left(from) + width * 0.1}%`}
            width={`${width * 0.8}%`}
            y={`${100 - (admitted / top) * 100}%`}
            height={`${(admitted / top) * 100}%`}
          >
            <title>{`${time(from)}: ${admitted}`}</title>
          </rect>
        ))}
      </svg>
      <svg className={styles.times} aria-hidden="true">
        {labelledBars(bars).map(({ from }) => (
          <text key={from} x={`${left(from)}%`} y="14">
            {time(from)}
          </text>
        ))}
      </svg>
    </div>
  );
}
