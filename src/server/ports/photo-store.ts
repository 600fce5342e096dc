/** Keeps the photos' files under names that the caller makes. Files are never changed once written. */
export interface PhotoStore {
  write(fileName: string, content: Buffer): Promise<void>;
  read(fileName: string): Promise<Buffer | null>;
  /** No error when the file is already gone. */
  remove(fileName: string): Promise<void>;
}
