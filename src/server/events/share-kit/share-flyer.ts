/** A page to print and put up: the event's picture, what to know, and a QR code of its page. */
import { rgb } from 'pdf-lib';
import { encode } from 'uqr';
import { shareKit as text } from '#messages/sales/share-kit.ts';
import { LEADING, LETTER, type TextStyle, typeset } from '#server/platform/pdf/typeset.ts';
import { framedPicture, type SharedEvent } from './render-share-image.ts';

const INK = rgb(0.082, 0.09, 0.169);
const QUIET = rgb(0.24, 0.25, 0.376);
const [WIDTH, HEIGHT] = LETTER;
/** Most printers leave a margin of a quarter of an inch. */
const EDGE = 36;
const INNER = WIDTH - 2 * EDGE;
/** Pixels of the picture for each point on paper: 216 dpi. */
const SCALE = 3;
const FRAME = 30;
/** 6.7 cm: scanned from an arm's length. */
const CODE_SIDE = 190;
const QUIET_ZONE = 4;
const GAP = 28;
const TEXT_WIDTH = INNER - CODE_SIDE - GAP;

const TITLES: readonly TextStyle[] = [52, 44, 38, 32, 27, 23].map((size) => ({ size, weight: 'bold', color: INK }));
const SMALLEST: TextStyle = { size: 20, weight: 'bold', color: INK };
const TITLE_HEIGHT_MAX = 112;
const TITLE_LEADING = 1.15;
const LINE: TextStyle = { size: 17, weight: 'bold', color: INK };
const SMALL: TextStyle = { size: 11, color: QUIET };

export async function shareFlyer(event: SharedEvent & { url: string }): Promise<Uint8Array> {
  const { document, lines, draw } = await typeset(event.title);
  const page = document.addPage(LETTER);
  const style = TITLES.find(({ size, ...rest }) => {
    const set = lines(event.title, { ...rest, size }, INNER);
    return set.length * size * TITLE_LEADING <= TITLE_HEIGHT_MAX;
  });
  const titleStyle = style ?? SMALLEST;
  const title = lines(event.title, titleStyle, INNER);
  const titleHeight = title.length * titleStyle.size * TITLE_LEADING;

  // The picture takes what the text leaves.
  const codeTop = EDGE + CODE_SIDE;
  const pictureHeight = HEIGHT - EDGE - codeTop - 2 * GAP - titleHeight;
  const pixels = { width: INNER * SCALE, height: Math.round(pictureHeight * SCALE), frame: FRAME * SCALE };
  const picture = await document.embedPng(await framedPicture(event, pixels));
  let top = HEIGHT - EDGE - pictureHeight;
  page.drawImage(picture, { x: EDGE, y: top, width: INNER, height: pictureHeight });

  top -= GAP - 14;
  for (const line of title) {
    top -= titleStyle.size * TITLE_LEADING;
    draw(page, line, { ...titleStyle, x: EDGE, y: top + titleStyle.size * 0.2 });
  }
  top = codeTop + 6;
  const write = (words: string, style: TextStyle) => {
    for (const line of lines(words, style, TEXT_WIDTH)) {
      top -= style.size * LEADING;
      draw(page, line, { ...style, x: EDGE, y: top });
    }
  };
  for (const line of event.lines) write(line, LINE);
  top -= 6;
  if (event.seller) write(text.by(event.seller), SMALL);
  top = Math.min(top, EDGE + LINE.size * LEADING + SMALL.size * LEADING);
  write(text.scan, LINE);
  write(event.url.replace(/^https?:\/\//, ''), SMALL);

  const code = encode(event.url, { ecc: 'M', boostEcc: false, border: QUIET_ZONE });
  const modules = code.data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  const scale = CODE_SIDE / (code.size - 2 * QUIET_ZONE);
  page.drawSvgPath(modules.join(''), {
    x: WIDTH - EDGE - CODE_SIDE - QUIET_ZONE * scale,
    y: codeTop + QUIET_ZONE * scale,
    scale,
    color: rgb(0, 0, 0),
  });
  return document.save();
}
