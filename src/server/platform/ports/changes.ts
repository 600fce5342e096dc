/** Notifications of committed changes by any process, for cache invalidation. */
export type Change =
  | { what: 'event'; eventId: string }
  /** Its page, or which events it lists. */
  | { what: 'organization'; organizationId: string }
  /** Which dates it has, when they are, and what tells them apart. */
  | { what: 'series'; seriesId: string }
  | { what: 'clock' }
  /** Notifications may have been missed: every cache must be cleared. */
  | { what: 'anything' };

export interface Changes {
  /** False while notifications cannot arrive. */
  isLive(): boolean;
  onChange(listener: (change: Change) => void): void;
  /** Resolves once all changes committed before this call have been delivered, or cannot be. */
  catchUp(): Promise<void>;
}
