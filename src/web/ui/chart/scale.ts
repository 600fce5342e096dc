const STEPS = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];

/** The top of a scale: a round number with a whole half, because both label it. */
export function scaleTop(most: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  const tops = STEPS.map((step) => Math.round(step * magnitude * 10) / 10);
  return tops.find((top) => top >= most && top % 2 === 0) ?? 10 * magnitude;
}
