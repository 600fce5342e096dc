/**
 * Scans that were sent and never answered, by code. A retry within a minute reuses the scan id: if the server had admitted the
 * guest, it repeats that instead of answering "already in".
 */
const TTL_MS = 60_000;
const SCANS_MAX = 100;

export class UnansweredScans {
  readonly #scans = new Map<string, { scanId: string; at: number }>();

  idFor(code: string, now: number): string | undefined {
    const scan = this.#scans.get(code);
    // After a minute, the same code may be a copy.
    return scan && now - scan.at <= TTL_MS ? scan.scanId : undefined;
  }

  add(code: string, scanId: string, now: number): void {
    const [oldest] = this.#scans.keys();
    if (this.#scans.size >= SCANS_MAX && oldest !== undefined) this.#scans.delete(oldest);
    this.#scans.set(code, { scanId, at: now });
  }

  remove(code: string): void {
    this.#scans.delete(code);
  }
}
