import { cookie } from '#web/cookies.ts';

/**
 * Whether the login token says admin. The page reads it only to offer links; the server asks its own
 * session row before it shows anything.
 */
export function isAdmin(): boolean {
  return claimsOf(cookie('token'))['isAdmin'] === true;
}

/** Whether somebody seems to be logged in: again only a matter of which links to offer. */
export function isSignedIn(now: Date): boolean {
  const { exp } = claimsOf(cookie('token'));
  return typeof exp === 'number' && exp * 1000 > now.getTime();
}

/** The middle part of a JWT, unverified. */
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
