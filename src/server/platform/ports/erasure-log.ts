/** Erased people and organizations, recorded outside the database so that erasures can be repeated after restoring a backup. */
export interface Erasure {
  id: string;
  kind: 'organizer' | 'buyer' | 'organization';
  /** A keyed hash, which does not identify the person. Null for organizations. */
  addressHash: string | null;
  /** Of an organization's id, and of an organizer's, whose address in the backup may be an older one. */
  accountHash: string | null;
  erasedAt: Date;
}

export interface ErasureLog {
  append(erasures: readonly Erasure[]): Promise<void>;
  read(): Promise<Erasure[]>;
}
