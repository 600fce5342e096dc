import * as z from 'zod/mini';
import type { Deps } from '#server/platform/deps.ts';
import type { EmailContent } from './templates/layout.ts';

export interface QueuedEmail {
  kind: string;
  subjectId: string;
  toAddress: string;
  params: unknown;
}

export type RenderDeps = Pick<Deps, 'db' | 'publicUrl' | 'appSecret' | 'clock' | 'photos'>;

/** What an email says now, rather than when it was queued; `null` if it is obsolete. */
export type Render = (deps: RenderDeps, row: QueuedEmail) => Promise<EmailContent | null>;

export const eventParams = z.object({ eventId: z.string() });

/** The subject without the recipient. */
export const firstOf = (subjectId: string): string => subjectId.split(' ', 1)[0] ?? '';
