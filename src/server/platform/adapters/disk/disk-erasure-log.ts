/** Appends one JSON lineSchema per erasure to a file. */
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import type { Erasure, ErasureLog } from '#server/platform/ports/erasure-log.ts';

const hash = z.string().check(z.regex(/^[0-9a-f]{32}$/));

const lineSchema = z.object({
  id: z.uuid(),
  kind: z.enum(['organizer', 'buyer', 'organization']),
  addressHash: z.nullable(hash),
  accountHash: z.nullable(hash),
  erasedAt: z.iso.datetime(),
});

export function diskErasureLog(file: string): ErasureLog {
  return {
    async append(erasures) {
      if (erasures.length === 0) return;
      await mkdir(dirname(file), { recursive: true });
      const handle = await open(file, 'a', 0o600);
      try {
        // The leading line break terminates a line that a crash cut off.
        await handle.write(`\n${erasures.map((erasure) => JSON.stringify(erasure)).join('\n')}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
    },

    async read() {
      const text = await readFile(file, 'utf8').catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
        throw error;
      });
      return text.split('\n').flatMap(parseLine);
    },
  };
}

function parseLine(text: string): Erasure[] {
  try {
    const { erasedAt, ...erasure } = lineSchema.parse(JSON.parse(text));
    return [{ ...erasure, erasedAt: new Date(erasedAt) }];
  } catch {
    return [];
  }
}
