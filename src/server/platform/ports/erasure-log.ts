/** Who was deleted, written down outside the database: a backup that is restored does not know it. */
export interface Erasure {
  id: string;
  kind: 'organizer' | 'buyer';
  /** Made with a key; it leads to nobody. */
  addressHash: string;
  /** Of an organizer: the address may have been another when the backup was made. */
  accountHash: string | null;
  erasedAt: Date;
}

export interface ErasureLog {
  append(erasures: readonly Erasure[]): Promise<void>;
  read(): Promise<Erasure[]>;
}
