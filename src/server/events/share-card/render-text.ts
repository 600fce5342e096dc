/** Text as an image, in the product's typeface. */
import { join } from 'node:path';
import sharp from 'sharp';

export const INK = '#15172B';
export const PAPER = '#FAF7F0';
/** Bundled, because a minimal system has no fonts. The renderer reads neither WOFF nor WOFF2. */
const FONT = join(import.meta.dirname, 'bricolage-grotesque-bold.ttf');

interface TextImage {
  png: Buffer;
  width: number;
  height: number;
}

interface TextBox {
  size: number;
  width: number;
  maxHeight: number;
  color?: string;
}

/** Text that needs more lines than fit is scaled down, never cut off. */
export async function renderText(text: string, { maxHeight, ...box }: TextBox): Promise<TextImage> {
  const { png } = await setText(text, box);
  const { data, info } = await sharp(png)
    .resize({ width: box.width, height: maxHeight, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

/** In the largest of these sizes in which it fits. */
export async function fitText(text: string, sizes: readonly number[], box: Omit<TextBox, 'size'>): Promise<TextImage> {
  for (const size of sizes) {
    const image = await setText(text, { ...box, size });
    if (image.height <= box.maxHeight) return image;
  }
  return renderText(text, { ...box, size: sizes.at(-1) ?? 0 });
}

async function setText(text: string, { size, width, color = INK }: Omit<TextBox, 'maxHeight'>): Promise<TextImage> {
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${color}">${escapeMarkup(withoutEmoji(text))}</span>`,
      font: `Bricolage Grotesque Bold ${size}`,
      fontfile: FONT,
      width,
      dpi: 72,
      rgba: true,
      wrap: 'word-char',
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

/** Emoji, and what joins and colors them. The typeface has none, and where the system has none they would be boxes. */
const EMOJI =
  /(?![©®™])[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u{200D}|\u{FE0F}|\u{20E3}/gu;

function withoutEmoji(text: string): string {
  const rest = text.replace(EMOJI, '').replace(/\s+/g, ' ').trim();
  return rest === '' ? text : rest;
}

function escapeMarkup(text: string): string {
  // Pango rejects control characters, and a title may contain a line break.
  return text
    .replace(/\p{Cc}/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
