/** The top of a scale: a round number with a whole half, because both label it. */
export function scaleTop(most: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  const step = [1, 2, 4, 6, 8, 10].find((factor) => factor * magnitude >= most) ?? 10;
  return Math.max(2, step * magnitude);
}
