import { cookie } from '#web/cookies.ts';

/**
 * Whether the login token has the admin claim. It only decides which links to show; the server checks its own session
 * record.
 */
export function isAdmin(): boolean {
  return claimsOf(cookie('token'))['isAdmin'] === true;
}

/** Whether a login cookie exists. It only decides which links to show. */
export function isSignedIn(now: Date): boolean {
  const { exp } = claimsOf(cookie('token'));
  return typeof exp === 'number' && exp * 1000 > now.getTime();
}

/** Decodes the payload of a JWT without verifying it. */
export function claimsOf(token: string | undefined): Record<string, unknown> {
  const payload = token?.split('.')[1];
  if (!payload) return {};
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}
