const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });

/** `7:32 PM`, by this device's clock. Newer engines put a narrow no-break space before AM and PM. */
export function clockTime(at: Date): string {
  return clock.format(at).replaceAll('\u202f', ' ');
}
