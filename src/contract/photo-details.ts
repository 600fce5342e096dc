/** How photos are shown. */
import * as z from 'zod/mini';

/** What stays in view where the photo is cropped, in percent from the left and the top. */
export const photoFocus = z.object({ x: z.int(), y: z.int() });

export const photoDetails = z.object({ altText: z.optional(z.string()), focus: z.optional(photoFocus) });

export type PhotoDetails = z.infer<typeof photoDetails>;
