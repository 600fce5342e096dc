/**
 * Text with marks, as the server reads it from what organizers type: paragraphs and lists of lines, with bold, italics and links. The
 * schema ends the nesting, and names every element and attribute that a page can show.
 */
import * as z from 'zod/mini';

const plain = z.string();

const marked = <Part extends z.ZodMiniType>(part: Part) =>
  z.object({
    is: z.enum(['strong', 'em', 'a']),
    /** Of a link: `https:`, `http:` or `mailto:`. */
    href: z.optional(z.string()),
    parts: z.array(part),
  });

const once = z.union([plain, marked(plain)]);
const twice = z.union([plain, marked(once)]);
const line = z.array(z.union([plain, marked(twice)]));

export const richText = z.array(
  z.union([
    z.object({ is: z.literal('p'), parts: line }),
    z.object({
      is: z.enum(['ul', 'ol']),
      /** Number of the first item, if it isn't 1. */
      start: z.optional(z.int()),
      parts: z.array(z.object({ is: z.literal('li'), parts: line })),
    }),
  ]),
);

export type RichText = z.infer<typeof richText>;

/** The same, whatever its place. */
export type RichPart =
  | string
  | {
      is: 'p' | 'ul' | 'ol' | 'li' | 'strong' | 'em' | 'a';
      href?: string | undefined;
      start?: number | undefined;
      parts: readonly RichPart[];
    };
