/** What this device remembers of who uses it. The door itself is kept in `offline/`. */
const NAME_KEY = 'scanner-device-name';
/** Of all preferences of the scanner, whoever keeps them. */
const KEYS = /^scanner-/;

export function deviceName(): string {
  try {
    return localStorage.getItem(NAME_KEY) ?? '';
  } catch {
    return '';
  }
}

export function rememberDeviceName(name: string): void {
  try {
    if (name) localStorage.setItem(NAME_KEY, name);
    else localStorage.removeItem(NAME_KEY);
  } catch {
    // It is then typed again.
  }
}

/** Whoever has left the door has left nothing behind. */
export function forgetPreferences(): void {
  try {
    for (const key of Object.keys(localStorage)) if (KEYS.test(key)) localStorage.removeItem(key);
  } catch {
    // Nothing was kept either.
  }
}
