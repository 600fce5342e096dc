/** One guard per kind of access. An endpoint whose access has no guard cannot be mounted. */

import type { Access } from '#contract/endpoint.ts';

import { AppError } from '#server/platform/app-error.ts';
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
  memberAtDoor(organizer: Organizer, eventId: string): Promise<Attendant | null>;
}

export function guardsOf(authorities: Authorities): Guards {
  const readOrganizer = (cookies: Cookies) =>
    authorities.authenticate({ token: cookies.read('token'), binding: cookies.read('session') });

  async function requireOrganizer(cookies: Cookies): Promise<Organizer> {
    const organizer = await readOrganizer(cookies);
    if (organizer) return organizer;
    // Pages take `token` as the sign of being logged in, so it must not outlive the session.
    if (cookies.read('token') !== undefined) cookies.clear('token');
    throw new AppError('session.missing');
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
      if (!admin.isAdmin) throw new AppError('page.not-found');
      return { caller: { admin }, callerId: admin.userId, isBound: admin.isBound };
    },

    async attendant(cookies, eventId) {
      if (eventId === null) throw new AppError('attendant-code.missing');
      const attendant = await authorities.readGrant(cookies.read('attendant'), eventId);
      if (attendant) return { caller: { attendant }, callerId: attendant.deviceId, isBound: false };

      const organizer = await readOrganizer(cookies);
      const member = organizer && (await authorities.memberAtDoor(organizer, eventId));
      if (!member) throw new AppError('attendant-code.missing');
      return { caller: { attendant: member }, callerId: organizer.userId, isBound: organizer.isBound };
    },
  };
}
