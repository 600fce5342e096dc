/** News of what was committed, by whichever process: for whoever keeps a copy of it. */

export type Change =
  | { what: 'event'; eventId: string }
  | { what: 'clock' }
  /** News may have been missed: nothing that was kept can be trusted. */
  | { what: 'anything' };

export interface Changes {
  /** False while news cannot arrive. */
  isLive(): boolean;
  onChange(heard: (change: Change) => void): void;
  /** Resolves once everything that was committed before this call has been heard, or when it cannot be. */
  caughtUp(): Promise<void>;
}
