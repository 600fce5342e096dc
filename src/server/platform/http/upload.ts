/** Reads a multipart request: its text fields, and its files to a folder that is gone with the answer. */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { photosNotSaved, uploadsUnderWay } from '#contract/photos.ts';
import { bodyTooLarge, notMultipart, tooBusy, unreadableBody } from '#contract/sentences.ts';
import { PHOTO_BYTES_MAX, PHOTOS_PER_EVENT_MAX, UPLOAD_BYTES_MAX } from '#domain/limits.ts';
import { AppError, invalid, unavailable } from '#server/platform/app-error.ts';

export interface UploadedFile {
  /** As the sender called it; where it lies has nothing of that. */
  fileName: string;
  path: string;
  isEmpty: boolean;
  /** The file was longer than a photo may be; what lies there is only its beginning. */
  isTooLarge: boolean;
}

interface Upload {
  sender: string;
  /** Null until it is made. */
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
  fields: 10,
  fieldSize: 1000,
  headerPairs: 20,
};
const AT_ONCE = 16;
/** Before anything is read: who sends slowly keeps a place for two minutes, and a budget spent afterwards counts none of it. */
const AT_ONCE_EACH = 3;
const RETRY_SECONDS = 10;
const RETRY_DISK_SECONDS = 300;
/** Longer than any upload takes: what is older was left by a process that was killed. */
const LEFT_MS = 60 * 60 * 1000;

export async function openUploads(app: FastifyInstance, folder: string): Promise<void> {
  const underWay = new Map<FastifyRequest, Upload>();
  app.decorate('uploads', { folder, underWay });
  app.addHook('onSend', async (request) => {
    const own = underWay.get(request);
    underWay.delete(request);
    if (own?.folder) await rm(own.folder, { recursive: true, force: true });
  });
  await removeLeft(folder);
}

async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (name.startsWith(PREFIX) && Date.now() - mtimeMs > LEFT_MS) await rm(path, { recursive: true, force: true });
  }
}

const PREFIX = 'upload-';

/** @param sender who may have only so many under way */
export async function readUpload(request: FastifyRequest, sender: string) {
  if (!request.isMultipart()) throw new AppError('wrong-type', notMultipart);
  if (Number(request.headers['content-length'] ?? 0) > UPLOAD_BYTES_MAX) throw new AppError('too-large', bodyTooLarge);
  const { folder, underWay } = request.server.uploads;
  const own = [...underWay.values()].filter((upload) => upload.sender === sender);
  if (own.length >= AT_ONCE_EACH) throw new AppError('too-many', uploadsUnderWay, RETRY_SECONDS);
  if (underWay.size >= AT_ONCE) throw unavailable(tooBusy, RETRY_SECONDS);

  const upload: Upload = { sender, folder: null };
  underWay.set(request, upload);
  return readParts(request, await ownFolder(request, { folder, upload })).catch((error: unknown) => {
    if (isOfDisk(error)) throw diskFull(request, error);
    throw isToldApart(error) ? error : invalid(unreadableBody);
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
  request.log.error({ err }, 'an upload could not be stored: is the disk full, or read-only?');
  return unavailable(photosNotSaved, RETRY_DISK_SECONDS);
}

/** What the system refused, by name; a broken connection is not the disk's. */
const isOfDisk = (error: unknown) => error instanceof Error && 'code' in error && DISK.has(String(error.code));
const DISK = new Set(['ENOSPC', 'EROFS', 'EDQUOT', 'EACCES', 'EIO', 'EFBIG', 'EMFILE', 'ENFILE', 'ENOENT']);

/** What the parser throws by itself has no status: each means that the form is broken, or was cut off. A TypeError is ours. */
const isToldApart = (error: unknown) =>
  error instanceof AppError || (error instanceof Error && ('statusCode' in error || error instanceof TypeError));

async function readParts(request: FastifyRequest, folder: string) {
  const fields: Record<string, string> = {};
  const files: UploadedFile[] = [];
  let bytes = 0;
  for await (const part of request.parts({ limits: LIMITS })) {
    if (part.type === 'file') {
      const path = join(folder, String(files.length));
      const kept = createWriteStream(path, { flags: 'wx', mode: 0o600 });
      await pipeline(part.file, kept);
      bytes += kept.bytesWritten;
      if (bytes > UPLOAD_BYTES_MAX) throw new AppError('too-large', bodyTooLarge);
      files.push({
        fileName: part.filename,
        path,
        isEmpty: kept.bytesWritten === 0,
        isTooLarge: part.file.truncated,
      });
    } else {
      if (typeof part.value !== 'string') throw invalid(unreadableBody);
      fields[part.fieldname] = part.value;
    }
  }
  return { fields, files };
}
