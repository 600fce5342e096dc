import type { Scope } from '#domain/accounts/api-keys.ts';
import type { Authority } from '#domain/accounts/roles.ts';

/** Who acts, for which organization and with what authority. Policies decide by it. */
export interface Actor extends Authority {
  userId: string;
  organizationId: string;
  /** Null outside a session. */
  sessionId: string | null;
}

/** A member who edits events: also one whose edit a job carries out, without a session. */
export interface Editor extends Actor {
  organizationName: string | null;
}

/** A program with a key, which acts for the organization in the place of the member who made the key. */
export interface KeyHolder extends Editor {
  keyId: string;
  keyName: string;
  scopes: readonly Scope[];
}

/** The callers that guards authenticate. */
export interface Attendant {
  eventId: string;
  /** The ID of the grant, or of the member who scans in their own browser. */
  deviceId: string;
  isMember: boolean;
  /** One device for all gates that it stands at. */
  isProgram?: boolean;
  /** Of a member. */
  sessionId?: string | null;
}

export interface Grant {
  eventId: string;
  grantId: string;
  codeVersion: number;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Reads an attendant cookie; null if it grants no access to the event. */
export type GrantReader = (cookie: string | undefined, eventId: string) => Promise<Attendant | null>;

export interface Organizer extends Editor {
  email: string;
  isAdmin: boolean;
  hasFactor: boolean;
  organizationRequiresFactor: boolean;
  sessionId: string;
  /** Until when an operator sees the organization as support and changes nothing; null in one's own. */
  viewingUntil: Date | null;
  /** The session is bound to a browser: requests must carry its HttpOnly cookie. */
  isBound: boolean;
}
