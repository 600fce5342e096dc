/** Reads a multipart request. Its files go to a temporary folder that is deleted with the response. */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { PHOTO_BYTES_MAX, PHOTOS_PER_EVENT_MAX, UPLOAD_BYTES_MAX } from '#domain/limits.ts';
import { AppError } from '#server/platform/app-error.ts';

export interface UploadedFile {
  /** The sender's name for the file. It is not part of `path`. */
  fileName: string;
  path: string;
  isEmpty: boolean;
  /** The file exceeded the size limit and was truncated. */
  isTooLarge: boolean;
}

interface Upload {
  sender: string;
  /** Null until it is created. */
  folder: string | null;
}

declare module 'fastify' {
  interface FastifyInstance {
    uploads: { folder: string; underWay: Map<FastifyRequest, Upload> };
  }
}

const LIMITS = {
  fileSize: PHOTO_BYTES_MAX,
  files: PHOTOS_PER_EVENT_MAX + 1,
  fields: 20,
  fieldSize: 1000,
  headerPairs: 20,
};
const MAX_UPLOADS = 16;
/** A slow upload occupies a slot for up to two minutes, which a rate limit checked afterwards cannot prevent. */
const MAX_UPLOADS_PER_SENDER = 3;
const RETRY_SECONDS = 10;
const DISK_FULL_RETRY_SECONDS = 300;
/** Longer than any upload takes. Older folders were left by a killed process. */
const ORPHAN_AGE_MS = 60 * 60 * 1000;

export async function openUploads(app: FastifyInstance, folder: string): Promise<void> {
  const underWay = new Map<FastifyRequest, Upload>();
  app.decorate('uploads', { folder, underWay });
  await removeOrphans(folder);
}

/** Runs before the response of a route that accepts uploads is sent. */
export async function endUpload(request: FastifyRequest): Promise<void> {
  const { underWay } = request.server.uploads;
  const own = underWay.get(request);
  underWay.delete(request);
  if (own?.folder) await rm(own.folder, { recursive: true, force: true });
}

async function removeOrphans(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (name.startsWith(PREFIX) && Date.now() - mtimeMs > ORPHAN_AGE_MS)
      await rm(path, { recursive: true, force: true });
  }
}

const PREFIX = 'upload-';

/** @param sender identifies the caller for the limit on concurrent uploads */
export async function readUpload(request: FastifyRequest, sender: string) {
  if (!request.isMultipart()) throw new AppError('request.not-multipart');
  if (Number(request.headers['content-length'] ?? 0) > UPLOAD_BYTES_MAX) throw new AppError('request.too-large');
  const { folder, underWay } = request.server.uploads;
  const own = [...underWay.values()].filter((upload) => upload.sender === sender);
  if (own.length >= MAX_UPLOADS_PER_SENDER)
    throw new AppError('photo.uploads-under-way', { retryAfterSeconds: RETRY_SECONDS });
  if (underWay.size >= MAX_UPLOADS) throw new AppError('server.busy', { retryAfterSeconds: RETRY_SECONDS });

  const upload: Upload = { sender, folder: null };
  underWay.set(request, upload);
  return readParts(request, await ownFolder(request, { folder, upload })).catch((error: unknown) => {
    if (isDiskError(error)) throw diskFull(request, error);
    throw isRecognized(error) ? error : new AppError('request.unreadable');
  });
}

async function ownFolder(
  request: FastifyRequest,
  { folder, upload }: { folder: string; upload: Upload },
): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    const own = await mkdtemp(join(folder, PREFIX));
    upload.folder = own;
    return own;
  } catch (error) {
    throw diskFull(request, error);
  }
}

function diskFull(request: FastifyRequest, err: unknown): AppError {
  request.log.error({ err }, 'storing an upload failed: the disk may be full or read-only');
  return new AppError('photo.not-saved', { retryAfterSeconds: DISK_FULL_RETRY_SECONDS });
}

/** Errors of the file system, as opposed to a broken connection. */
const isDiskError = (error: unknown) =>
  error instanceof Error && 'code' in error && DISK_ERRORS.has(String(error.code));
const DISK_ERRORS = new Set(['ENOSPC', 'EROFS', 'EDQUOT', 'EACCES', 'EIO', 'EFBIG', 'EMFILE', 'ENFILE', 'ENOENT']);

/** The parser's own errors carry no status and mean a malformed or truncated form. A TypeError is a bug of ours. */
const isRecognized = (error: unknown) =>
  error instanceof AppError || (error instanceof Error && ('statusCode' in error || error instanceof TypeError));

async function readParts(request: FastifyRequest, folder: string) {
  const fields: Record<string, string> = {};
  const files: UploadedFile[] = [];
  let bytes = 0;
  for await (const part of request.parts({ limits: LIMITS })) {
    if (part.type === 'file') {
      const path = join(folder, String(files.length));
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
      await pipeline(part.file, file);
      bytes += file.bytesWritten;
      if (bytes > UPLOAD_BYTES_MAX) throw new AppError('request.too-large');
      files.push({
        fileName: part.filename,
        path,
        isEmpty: file.bytesWritten === 0,
        isTooLarge: part.file.truncated,
      });
    } else {
      if (typeof part.value !== 'string') throw new AppError('request.unreadable');
      fields[part.fieldname] = part.value;
    }
  }
  return { fields, files };
}
