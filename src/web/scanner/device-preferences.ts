/** Scanner preferences on this device, in localStorage. Check-in data is in `offline/`. */
const NAME_KEY = 'scanner-device-name';
/** Matches every scanner preference, including those that other files write. */
const PREFERENCE_KEYS = /^scanner-/;

export function savedDeviceName(): string {
  try {
    return localStorage.getItem(NAME_KEY) ?? '';
  } catch {
    return '';
  }
}

export function saveDeviceName(name: string): void {
  try {
    if (name) localStorage.setItem(NAME_KEY, name);
    else localStorage.removeItem(NAME_KEY);
  } catch {
    // Without storage, the attendant types the name again.
  }
}

/** Called at the end of a shift. */
export function clearPreferences(): void {
  try {
    for (const key of Object.keys(localStorage)) if (PREFERENCE_KEYS.test(key)) localStorage.removeItem(key);
  } catch {
    // Without storage, nothing was saved.
  }
}
