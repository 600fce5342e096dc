/** Tracks API calls until they finish, including calls whose client has disconnected. */
export class InflightCalls {
  readonly #calls = new Set<Promise<void>>();

  async track(call: Promise<void>): Promise<void> {
    this.#calls.add(call);
    await call.finally(() => this.#calls.delete(call));
  }

  /** Resolves when every call in flight now has finished, whatever its outcome. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#calls);
  }
}
