/** `now`, `12 sec ago`, `4 min ago`, `3 hr ago`, `2 days ago` */
export function ago(instant: number, now: number): string {
  const seconds = Math.floor((now - instant) / 1000);
  if (seconds < 1) return 'now';
  if (seconds < 60) return `${seconds} sec ago`;
  if (seconds < 60 * 60) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 48 * 60 * 60) return `${Math.floor(seconds / 3600)} hr ago`;
  return `${Math.floor(seconds / 86_400)} days ago`;
}
