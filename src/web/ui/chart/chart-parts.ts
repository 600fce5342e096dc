/** What a chart is made of. */
export interface ChartPoint {
  key: string;
  value: number;
  /** Shown on hover. */
  title: string;
}

/** A text below the chart. Positions count slots from the left: 0.5 is the middle of the first one. */
export interface AxisLabel {
  at: number;
  text: string;
}
