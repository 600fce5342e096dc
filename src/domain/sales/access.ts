/** Ticket types for people who need access: of one place, or of one with a place for a companion. */
export const ACCESS_KINDS = ['alone', 'companion'] as const;

export type AccessKind = (typeof ACCESS_KINDS)[number];
