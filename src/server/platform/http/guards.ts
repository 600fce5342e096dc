/** One guard per kind of access. An endpoint whose access has no guard cannot be mounted. */
import { grantMissing } from '#contract/app/check-in.ts';
import type { Access } from '#contract/endpoint.ts';
import { notFoundPage, signedOut as pleaseLogIn } from '#contract/messages/requests.ts';
import { notFound, signedOut } from '#server/platform/app-error.ts';
import type { Attendant, GrantReader, Organizer } from './callers.ts';
import type { Cookies } from './cookies.ts';

/** The caller that each guard passes to the handler. */
export interface Callers {
  public: Record<never, never>;
  organizer: { organizer: Organizer };
  attendant: { attendant: Attendant };
  admin: { admin: Organizer };
}

export interface Authenticated<A extends Access> {
  caller: Callers[A];
  /** Null for an anonymous caller. */
  callerId: string | null;
  /** The caller is authenticated by a cookie that browsers send automatically, so the request needs CSRF protection. */
  isBound: boolean;
}

export type Guard<A extends Access> = (cookies: Cookies, eventId: string | null) => Promise<Authenticated<A>>;
export type Guards = { [A in Access]: Guard<A> };

/** The use cases that the guards call. */
export interface Authorities {
  authenticate(credentials: { token: string | undefined; binding: string | undefined }): Promise<Organizer | null>;
  readGrant: GrantReader;
  ownsEvent(organizer: Organizer, eventId: string): Promise<Attendant | null>;
}

export function guardsOf(authorities: Authorities): Guards {
  const readOrganizer = (cookies: Cookies) =>
    authorities.authenticate({ token: cookies.read('token'), binding: cookies.read('session') });

  async function requireOrganizer(cookies: Cookies): Promise<Organizer> {
    const organizer = await readOrganizer(cookies);
    if (organizer) return organizer;
    // Pages take `token` as the sign of being logged in, so it must not outlive the session.
    if (cookies.read('token') !== undefined) cookies.clear('token');
    throw signedOut(pleaseLogIn);
  }

  return {
    public: async () => ({ caller: {}, callerId: null, isBound: false }),

    async organizer(cookies) {
      const organizer = await requireOrganizer(cookies);
      return { caller: { organizer }, callerId: organizer.userId, isBound: organizer.isBound };
    },

    async admin(cookies) {
      const admin = await requireOrganizer(cookies);
      // Read from the account's row, not from the token, so that a revoked right ends at once. 404 hides the endpoint.
      if (!admin.isAdmin) throw notFound(notFoundPage);
      return { caller: { admin }, callerId: admin.userId, isBound: admin.isBound };
    },

    async attendant(cookies, eventId) {
      if (eventId === null) throw signedOut(grantMissing);
      const attendant = await authorities.readGrant(cookies.read('attendant'), eventId);
      if (attendant) return { caller: { attendant }, callerId: attendant.grantId, isBound: false };

      const organizer = await readOrganizer(cookies);
      const owner = organizer && (await authorities.ownsEvent(organizer, eventId));
      if (!owner) throw signedOut(grantMissing);
      return { caller: { attendant: owner }, callerId: organizer.userId, isBound: organizer.isBound };
    },
  };
}
