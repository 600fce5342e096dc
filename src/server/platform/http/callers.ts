/** The callers that guards authenticate. */
export interface Attendant {
  eventId: string;
  grantId: string;
}

export interface Grant extends Attendant {
  codeVersion: number;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Reads an attendant cookie; null if it grants no access to the event. */
export type GrantReader = (cookie: string | undefined, eventId: string) => Promise<Attendant | null>;

export interface Organizer {
  userId: string;
  email: string;
  emailVerifiedAt: Date | null;
  isAdmin: boolean;
  organizationName: string | null;
  sessionId: string;
  /** The session is bound to a browser: requests must carry its HttpOnly cookie. */
  isBound: boolean;
}
