/** Writes an empty object per erasure. Its key has everything, so that one listing reads a thousand of them. */
import * as z from 'zod/mini';
import type { Erasure, ErasureLog } from '#server/platform/ports/erasure-log.ts';
import type { Bucket } from './bucket.ts';

const FOLDER = 'erasures/';
const NONE = 'none';

const hash = z.nullable(z.string().check(z.regex(/^[0-9a-f]{32}$/)));
const partsSchema = z.tuple([z.coerce.number(), z.enum(['organizer', 'buyer', 'organization']), z.uuid(), hash, hash]);

export function s3ErasureLog(bucket: Bucket): ErasureLog {
  return {
    async append(erasures) {
      for (const erasure of erasures) await bucket.put(keyOf(erasure), Buffer.alloc(0), 'text/plain');
    },

    async read() {
      const erasures: Erasure[] = [];
      for await (const { key } of bucket.list(FOLDER)) erasures.push(...parseKey(key));
      return erasures;
    },
  };
}

const keyOf = ({ erasedAt, kind, id, addressHash, accountHash }: Erasure) =>
  FOLDER + [erasedAt.getTime(), kind, id, addressHash ?? NONE, accountHash ?? NONE].join('_');

function parseKey(key: string): Erasure[] {
  const parts = key.slice(FOLDER.length).split('_');
  const parsed = partsSchema.safeParse(parts.map((part) => (part === NONE ? null : part)));
  if (!parsed.success) return [];
  const [erasedAt, kind, id, addressHash, accountHash] = parsed.data;
  return [{ id, kind, addressHash, accountHash, erasedAt: new Date(erasedAt) }];
}
