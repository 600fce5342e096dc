/** Who may call: one guard per kind of access. An endpoint whose access has no guard is never mounted. */

import { grantMissing } from '#contract/admission.ts';
import type { Access } from '#contract/endpoint.ts';
import { notFoundPage, signedOut as pleaseLogIn } from '#contract/sentences.ts';
import { notFound, signedOut } from '#server/platform/app-error.ts';
import type { Attendant, GrantReader, Organizer } from './callers.ts';
import type { Cookies } from './cookies.ts';

/** What each kind of access tells the handler about its caller. */
export interface Callers {
  public: Record<never, never>;
  organizer: { organizer: Organizer };
  attendant: { attendant: Attendant };
  admin: { admin: Organizer };
}

export interface LoadAdmission<A extends Access> {
  caller: Callers[A];
  /** Null for someone of whom nothing is known. */
  callerId: string | null;
  /** The caller's authority rests on a cookie that a browser sends by itself. */
  isBound: boolean;
}

export type Guard<A extends Access> = (cookies: Cookies, eventId: string | null) => Promise<LoadAdmission<A>>;
export type Guards = { [A in Access]: Guard<A> };

/** The use cases behind the guards. */
export interface Authorities {
  authenticate(credentials: { token: string | undefined; binding: string | undefined }): Promise<Organizer | null>;
  readGrant: GrantReader;
  ownsEvent(organizer: Organizer, eventId: string): Promise<Attendant | null>;
}

export function guardsOf(authorities: Authorities): Guards {
  const organizerOf = (cookies: Cookies) =>
    authorities.authenticate({ token: cookies.read('token'), binding: cookies.read('session') });

  async function loggedIn(cookies: Cookies): Promise<Organizer> {
    const organizer = await organizerOf(cookies);
    if (organizer) return organizer;
    // The page reads `token` to know that somebody is logged in: it must not outlive the session.
    if (cookies.read('token') !== undefined) cookies.clear('token');
    throw signedOut(pleaseLogIn);
  }

  return {
    public: async () => ({ caller: {}, callerId: null, isBound: false }),

    async organizer(cookies) {
      const organizer = await loggedIn(cookies);
      return { caller: { organizer }, callerId: organizer.userId, isBound: organizer.isBound };
    },

    async admin(cookies) {
      const admin = await loggedIn(cookies);
      // The account's row says so, not what the token says: a right that was taken away ends at once.
      // To everybody else there is no such call.
      if (!admin.isAdmin) throw notFound(notFoundPage);
      return { caller: { admin }, callerId: admin.userId, isBound: admin.isBound };
    },

    async attendant(cookies, eventId) {
      if (eventId === null) throw signedOut(grantMissing);
      const attendant = await authorities.readGrant(cookies.read('attendant'), eventId);
      if (attendant) return { caller: { attendant }, callerId: attendant.grantId, isBound: false };

      const organizer = await organizerOf(cookies);
      const owner = organizer && (await authorities.ownsEvent(organizer, eventId));
      if (!owner) throw signedOut(grantMissing);
      return { caller: { attendant: owner }, callerId: organizer.userId, isBound: organizer.isBound };
    },
  };
}
