/** Appends API exchanges and webhooks to a file as JSON lines. Hosted pages, where buyers enter cards, are never recorded. */

import { appendFile } from 'node:fs/promises';

export interface Exchange {
  method: string;
  path: string;
  requestHeaders: Record<string, string | string[] | undefined>;
  requestBody: string;
  status: number;
  responseBody: string;
}

export interface SentWebhook {
  event: string;
  payload: string;
  signature: string;
  secret: string;
}

export class Recorder {
  readonly #file: string | null;
  #written: Promise<void> = Promise.resolve();

  constructor(file: string | null) {
    this.#file = file;
  }

  add(entry: Exchange | SentWebhook): void {
    const file = this.#file;
    if (file === null) return;
    this.#written = this.#written.then(() => appendFile(file, `${JSON.stringify(entry)}\n`));
    // A full disk must not stop the sandbox. `close` reports the error.
    this.#written.catch(() => {});
  }

  async close(): Promise<void> {
    await this.#written;
  }
}
