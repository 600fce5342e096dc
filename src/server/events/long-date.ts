/** `Friday, June 12, 2026 at 8:00 PM EDT`, in the event's time zone rather than the reader's. */
export function longDate(at: Date, timeZone: string): string {
  const text = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
  // Some email clients render the narrow no-break space before PM as a box.
  return text.replace(/\u202f/g, ' ');
}
