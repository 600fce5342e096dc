import * as z from 'zod/mini';
import { characterCount } from '#domain/limits.ts';
import { DOOR_NOTE_MAX } from '#domain/sales/guest-form.ts';
import { because } from './form-problem.ts';
import { oneLine } from './typed-text.ts';

/** What the door should know about a guest; blank for nothing. */
export const doorNote = z.string().check(
  oneLine(),
  z.refine((note) => characterCount(note) <= DOOR_NOTE_MAX, because('door-note.too-long')),
);
