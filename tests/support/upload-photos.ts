import { addPhotos } from '#contract/app/photos.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Answer, Visitor } from './http-visitor.ts';

export type PhotoFile = [name: string, content: Uint8Array];

/** Adds photos to an event like the form in the profile. */
export function uploadPhotos(
  by: Visitor,
  eventId: string,
  files: readonly PhotoFile[],
): Promise<Answer<ReplyOf<typeof addPhotos>>> {
  const body = new FormData();
  body.append('eventId', eventId);
  for (const [name, content] of files) body.append('images', new Blob([new Uint8Array(content)]), name);
  return by.request(addPhotos.path, { method: 'POST', body });
}
