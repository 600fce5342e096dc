/** A bucket of S3, or of a service that speaks its protocol. Only loaded if one is set. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { BucketSettings } from '#server/platform/config.ts';
import { newId } from '#server/platform/ids.ts';
import { FilesUnreachable } from '#server/platform/ports/files-unreachable.ts';

const CONNECT_MS = 2_000;
/** For everything that one call does, so that a slow bucket keeps no visitor waiting for longer. */
const DEADLINE_MS = 8_000;
const ATTEMPTS = 3;
/** The service has a problem of its own, or wants us to slow down. */
const TRANSIENT = new Set([408, 429]);

/** By default warnings go to the console, among the lines of our log. */
const ignore = () => {};
const SILENT = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

interface StoredObject {
  key: string;
  writtenAt: Date;
}

export interface Bucket {
  /** Atomic and durable. */
  put(key: string, content: Buffer, contentType: string): Promise<void>;
  get(key: string): Promise<Buffer | null>;
  has(key: string): Promise<boolean>;
  /** Succeeds if there is no such object. */
  remove(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<StoredObject>;
}

export interface BucketProblem {
  /** Refused: by a setting of ours or theirs that time doesn't mend. */
  kind: 'refused' | 'unreachable';
  reason: string;
}

/** Throws nothing but `FilesUnreachable`. */
export function openBucket(settings: BucketSettings): Bucket {
  const { bucket: Bucket, endpoint, region, keyId, secretKey, hasPathStyle, deadlineMs = DEADLINE_MS } = settings;
  const client = new S3Client({
    region,
    ...(endpoint !== null && { endpoint }),
    forcePathStyle: hasPathStyle,
    credentials: { accessKeyId: keyId, secretAccessKey: secretKey },
    maxAttempts: ATTEMPTS,
    // Services other than Amazon's don't know its newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, logger: SILENT },
  });

  async function within<T>(work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(deadlineMs);
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () =>
        reject(new FilesUnreachable(`the bucket did not answer within ${deadlineMs} ms`)),
      );
    });
    try {
      return await Promise.race([work(signal), late]);
    } catch (error) {
      throw error instanceof FilesUnreachable ? error : failureOf(error);
    }
  }

  return {
    async put(Key, Body, ContentType) {
      await within((abortSignal) =>
        client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType }), { abortSignal }),
      );
    },

    get: (Key) =>
      within(async (abortSignal) => {
        const found = await client
          .send(new GetObjectCommand({ Bucket, Key }), { abortSignal })
          .catch(nullIf('NoSuchKey'));
        if (!(found?.Body instanceof Readable)) return null;
        const { Body } = found;
        abortSignal.addEventListener('abort', () => Body.destroy());
        return buffer(Body);
      }),

    has: (Key) =>
      within(async (abortSignal) => {
        const found = await client
          .send(new HeadObjectCommand({ Bucket, Key }), { abortSignal })
          .catch(nullIf('NotFound'));
        return found !== null;
      }),

    async remove(Key) {
      await within((abortSignal) => client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal }));
    },

    async *list(Prefix) {
      for (let ContinuationToken: string | undefined; ; ) {
        const page = await within((abortSignal) =>
          client.send(
            new ListObjectsV2Command({ Bucket, Prefix, ...(ContinuationToken !== undefined && { ContinuationToken }) }),
            { abortSignal },
          ),
        );
        for (const { Key, LastModified } of page.Contents ?? [])
          if (Key !== undefined && LastModified) yield { key: Key, writtenAt: LastModified };
        ContinuationToken = page.NextContinuationToken;
        if (!page.IsTruncated || ContinuationToken === undefined) return;
      }
    },
  };
}

/** Writes, reads, lists and removes an object. Returns null if all of it works. */
export async function findBucketProblem(settings: BucketSettings): Promise<BucketProblem | null> {
  const bucket = openBucket(settings);
  const key = `probes/${newId()}`;
  const content = Buffer.from(key);
  try {
    await bucket.put(key, content, 'text/plain');
    const read = await bucket.get(key);
    const listed: string[] = [];
    for await (const object of bucket.list(key)) listed.push(object.key);
    await bucket.remove(key);
    if (read?.equals(content) && listed.includes(key) && !(await bucket.has(key))) return null;
    return { kind: 'refused', reason: 'it does not return what was written' };
  } catch (error) {
    if (!(error instanceof FilesUnreachable)) throw error;
    return { kind: error.isRefused ? 'refused' : 'unreachable', reason: error.message };
  }
}

/** The SDK's messages may quote what was asked. The code says enough. */
function failureOf(cause: unknown): FilesUnreachable {
  if (cause instanceof S3ServiceException) {
    const status = cause.$metadata.httpStatusCode ?? 0;
    const isRefused = status >= 300 && status < 500 && !TRANSIENT.has(status);
    return new FilesUnreachable(`the bucket answered ${cause.name}`, { isRefused, cause });
  }
  const code = cause instanceof Error && 'code' in cause ? `: ${String(cause.code)}` : '';
  return new FilesUnreachable(`the bucket can not be reached${code}`, { cause });
}

const nullIf = (name: string) => (error: unknown) => {
  if (error instanceof S3ServiceException && error.name === name) return null;
  throw error;
};
