/** Stores photo files under names chosen by the caller. Files are immutable. */
export interface PhotoStore {
  /** Atomic and durable. */
  write(fileName: string, content: Buffer): Promise<void>;
  has(fileName: string): Promise<boolean>;
  /** Readers share the bytes. */
  read(fileName: string): Promise<Buffer | null>;
  /** Succeeds if the file does not exist. */
  remove(fileName: string): Promise<void>;
  /** Every file, including unfinished writes. */
  list(): AsyncIterable<StoredPhoto>;
}

export interface StoredPhoto {
  fileName: string;
  /** By the clock of the storage system. */
  writtenAt: Date;
}
