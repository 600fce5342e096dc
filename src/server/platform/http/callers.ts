export interface Attendant {
  eventId: string;
  grantId: string;
}

export interface Grant extends Attendant {
  codeVersion: number;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Reads cookies of attendants: null where this one's does not let them in at the event. */
export type GrantReader = (cookie: string | undefined, eventId: string) => Promise<Attendant | null>;

export interface Organizer {
  userId: string;
  email: string;
  emailVerifiedAt: Date | null;
  isAdmin: boolean;
  organizationName: string | null;
  sessionId: string;
  /** The session was opened in a browser, and needs the secret in that browser's HttpOnly cookie. */
  isBound: boolean;
}
