/** Keeps the photos' files under names that the caller makes. Files are never changed once written. */
export interface PhotoStore {
  /** All of it or, when it fails, nothing; what was written outlives a power cut. */
  write(fileName: string, content: Buffer): Promise<void>;
  has(fileName: string): Promise<boolean>;
  read(fileName: string): Promise<Buffer | null>;
  /** No error when the file is already gone. */
  remove(fileName: string): Promise<void>;
  /** Everything there is, also what was never finished. */
  list(): AsyncIterable<StoredPhoto>;
}

export interface StoredPhoto {
  fileName: string;
  /** By the clock of the system that keeps it. */
  writtenAt: Date;
}
