/** `Friday, June 12, 2026 at 8:00 PM EDT`: the wall clock at the event, whatever zone the reader is in. */
export function longDate(at: Date, timeZone: string): string {
  const words = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
  // The narrow space before PM is a box in old mail programs.
  return words.replace(/\u202f/g, ' ');
}
