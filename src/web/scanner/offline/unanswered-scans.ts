/**
 * Scans that were sent and whose answer never came, by what was read. The same guest's next try is the same scan: where the
 * server had let them in, it says so again, instead of calling them already in.
 */
const FOR_MS = 60_000;
const AT_MOST = 100;

export class UnansweredScans {
  readonly #scans = new Map<string, { scanId: string; at: number }>();

  idFor(code: string, now: number): string | undefined {
    const scan = this.#scans.get(code);
    // Whoever comes later with this code may be somebody else, with a copy.
    return scan && now - scan.at <= FOR_MS ? scan.scanId : undefined;
  }

  add(code: string, scanId: string, now: number): void {
    const [oldest] = this.#scans.keys();
    if (this.#scans.size >= AT_MOST && oldest !== undefined) this.#scans.delete(oldest);
    this.#scans.set(code, { scanId, at: now });
  }

  settle(code: string): void {
    this.#scans.delete(code);
  }
}
