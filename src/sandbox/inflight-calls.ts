/** The calls that were received and not answered yet, or given up by their caller and not carried out yet. */
export class InflightCalls {
  readonly #calls = new Set<Promise<void>>();

  async track(call: Promise<void>): Promise<void> {
    this.#calls.add(call);
    await call.finally(() => this.#calls.delete(call));
  }

  /** Resolves when those that are under way now have been carried out, however they ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#calls);
  }
}
