/** Stops what was started, last first, so that nothing loses what it stands on. */

const PATIENCE_MS = 30_000;

export class Shutdown {
  #parts: { name: string; stop: () => Promise<unknown> }[] = [];
  #running: Promise<void> | null = null;

  add(name: string, stop: () => Promise<unknown>): void {
    this.#parts.push({ name, stop });
  }

  /**
   * Ctrl-C and SIGTERM stop cleanly; a second one stops now. A worker hears of one Ctrl-C twice, from the terminal
   * and from the first process, which also ends whoever takes too long.
   */
  listen({ endsAtSecondSignal }: { endsAtSecondSignal: boolean }): void {
    const onSignal = () => {
      if (this.#running) return endsAtSecondSignal ? process.exit(1) : undefined;
      this.#end();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  }

  /** Ends when the process that started this one is gone: the channel between them closes, however that process ended. */
  endWithStarter(): void {
    const onGone = () => {
      if (!this.#running) this.#end();
    };
    process.once('disconnect', onGone);
    if (!process.connected) onGone();
  }

  #end(): void {
    // Requests that hang must not keep the machine from restarting.
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
    void this.run().then(() => process.exit(0));
  }

  run(): Promise<void> {
    this.#running ??= this.#stopAll();
    return this.#running;
  }

  async #stopAll(): Promise<void> {
    for (const { name, stop } of this.#parts.reverse()) {
      await stop().catch((error: unknown) => process.stderr.write(`could not stop ${name}: ${String(error)}\n`));
    }
  }
}
