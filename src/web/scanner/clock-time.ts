/** `7:32 PM` on the event's clock; on this device's where the event's zone is not known. */
export function clockTime(at: Date, timeZone: string | undefined): string {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' });
  // Newer engines put a narrow no-break space before AM and PM.
  return clock.format(at).replaceAll('\u202f', ' ');
}
