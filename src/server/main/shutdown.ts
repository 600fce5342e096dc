/** Stops parts in reverse order of their start, so that none loses a dependency. */
const TIMEOUT_MS = 30_000;

export class Shutdown {
  #parts: { name: string; stop: () => Promise<unknown> }[] = [];
  #running: Promise<void> | null = null;

  add(name: string, stop: () => Promise<unknown>): void {
    this.#parts.push({ name, stop });
  }

  /**
   * SIGINT and SIGTERM stop cleanly, a second signal exits at once. A worker gets two signals per Ctrl-C, from the terminal and
   * from the primary process, which also kills slow workers.
   */
  listen({ endsAtSecondSignal }: { endsAtSecondSignal: boolean }): void {
    const onSignal = () => {
      if (this.#running) return endsAtSecondSignal ? process.exit(1) : undefined;
      this.#end();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  }

  /** Shuts down when the parent process is gone: the IPC channel closes however the parent ended. */
  endWithParent(): void {
    const onDisconnect = () => {
      if (!this.#running) this.#end();
    };
    process.once('disconnect', onDisconnect);
    if (!process.connected) onDisconnect();
  }

  #end(): void {
    // Hanging requests must not block a restart.
    setTimeout(() => process.exit(1), TIMEOUT_MS).unref();
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
