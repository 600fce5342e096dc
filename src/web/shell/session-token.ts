import { cookie } from '#web/cookies.ts';

/**
 * Whether the login token says admin. The page reads it only to offer links; the server asks its own
 * session row before it shows anything.
 */
export function isAdmin(): boolean {
  return claimsOf(cookie('token'))['isAdmin'] === true;
}

/** The middle part of a JWT, unverified. */
export function claimsOf(token: string | undefined): Record<string, unknown> {
  const payload = token?.split('.')[1];
  if (!payload) return {};
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}
