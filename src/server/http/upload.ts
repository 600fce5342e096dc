/** Reads a multipart request: its text fields and, whole, its files. */
import type { FastifyRequest } from 'fastify';
import { notMultipart, unreadableBody } from '#contract/sentences.ts';
import { PHOTO_BYTES_MAX, PHOTOS_PER_EVENT_MAX } from '#domain/limits.ts';
import { invalid, Refusal } from '#server/refusal.ts';

export interface UploadedFile {
  fileName: string;
  content: Buffer;
  /** The file was longer than a photo may be; `content` holds only its beginning. */
  isTooLarge: boolean;
}

const LIMITS = { fileSize: PHOTO_BYTES_MAX, files: PHOTOS_PER_EVENT_MAX + 1, fields: 10, fieldSize: 1000 };

export async function readUpload(request: FastifyRequest) {
  if (!request.isMultipart()) throw new Refusal('wrong-type', notMultipart);

  const fields: Record<string, string> = {};
  const files: UploadedFile[] = [];
  for await (const part of request.parts({ limits: LIMITS })) {
    if (part.type === 'file') {
      const content = await part.toBuffer();
      files.push({ fileName: part.filename, content, isTooLarge: part.file.truncated });
    } else {
      if (typeof part.value !== 'string') throw invalid(unreadableBody);
      fields[part.fieldname] = part.value;
    }
  }
  return { fields, files };
}
