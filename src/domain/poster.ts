/**
 * Generated image of an event without photos, seeded by the event's id. The page, emails, share card and ticket all
 * render it, so the output for an id must never change.
 */

export const POSTER_WIDTH = 1200;
export const POSTER_HEIGHT = 750;

const STOCK = '#FFC23C';
const PAPER = '#FAF7F0';
const BACKGROUNDS = ['#2B3BD1', '#15172B', '#0B6E43', '#B3261E'] as const;

type Random = () => number;
type Composition = (random: Random) => string;

const compositions: readonly Composition[] = [sun, arcs, stripes, checker, wave, steps];

export function posterSvg(eventId: string): string {
  const random = seededRandom(eventId);
  const background = pick(BACKGROUNDS, random);
  const composition = pick(compositions, random);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${POSTER_WIDTH} ${POSTER_HEIGHT}"`,
    ` width="${POSTER_WIDTH}" height="${POSTER_HEIGHT}" preserveAspectRatio="xMidYMid slice">`,
    `<rect width="${POSTER_WIDTH}" height="${POSTER_HEIGHT}" fill="${background}"/>`,
    composition(random),
    '</svg>',
  ].join('');
}

/** A halftone sun over sound waves from the stage. */
function sun(random: Random): string {
  const sunX = between(780, 980, random);
  const sunY = between(220, 400, random);
  const ringX = between(120, 320, random);
  const dots = halftone(100, (x, y) => 56 - Math.hypot(x - sunX, (y - sunY) * 1.05) * 0.074);
  const rings = [200, 340, 480, 620, 760].map(
    (radius, index) =>
      `<circle cx="${ringX}" cy="${POSTER_HEIGHT}" r="${radius}" opacity="${[1, 0.8, 0.6, 0.42, 0.3][index]}"/>`,
  );
  return `<g fill="${STOCK}">${dots}</g><g fill="none" stroke="${PAPER}" stroke-width="30">${rings.join('')}</g>`;
}

/** Quarter rings on randomly rotated tiles. */
function arcs(random: Random): string {
  const tile = 250;
  const tiles: string[] = [];
  for (let y = 0; y < POSTER_HEIGHT; y += tile) {
    for (let x = 0; x < POSTER_WIDTH; x += tile) {
      const corner = Math.floor(random() * 4);
      const [cx, cy] = [x + (corner % 2) * tile, y + (corner > 1 ? tile : 0)];
      const color = random() < 0.45 ? STOCK : PAPER;
      tiles.push(random() < 0.2 ? disc(x + tile / 2, y + tile / 2, color) : quarterRings(cx, cy, x, y, tile, color));
    }
  }
  return tiles.join('');
}

const disc = (x: number, y: number, color: string) => `<circle cx="${x}" cy="${y}" r="72" fill="${color}"/>`;

function quarterRings(cx: number, cy: number, x: number, y: number, tile: number, color: string): string {
  const [dx, dy] = [cx === x ? 1 : -1, cy === y ? 1 : -1];
  const rings = [0.9, 0.62, 0.34].map((share) => {
    const r = round(tile * share);
    return `M${cx + dx * r} ${cy}A${r} ${r} 0 0 ${dx === dy ? 1 : 0} ${cx} ${cy + dy * r}`;
  });
  return `<path d="${rings.join('')}" fill="none" stroke="${color}" stroke-width="34"/>`;
}

/** Slanted stripes behind a halftone disc. */
function stripes(random: Random): string {
  const slant = between(140, 340, random);
  const width = between(70, 110, random);
  const x = between(420, 800, random);
  const bars: string[] = [];
  for (let left = -slant - 40; left < POSTER_WIDTH + slant; left += width * 2) {
    bars.push(`M${left} ${POSTER_HEIGHT}l${slant} -${POSTER_HEIGHT}h${width}l-${slant} ${POSTER_HEIGHT}z`);
  }
  const dots = halftone(75, (px, py) => {
    const away = Math.hypot(px - x, py - 375);
    return away < 290 ? 34 - (away * away) / 4200 : 0;
  });
  return `<path d="${bars.join('')}" fill="${PAPER}" opacity="0.16"/><g fill="${STOCK}">${dots}</g>`;
}

/** A checkered floor that fades toward one side. */
function checker(random: Random): string {
  const cell = 125;
  const fromLeft = random() < 0.5;
  const lit = Math.floor(random() * 3);
  const cells: string[] = [];
  for (let row = 0; row * cell < POSTER_HEIGHT; row += 1) {
    for (let column = 0; column * cell < POSTER_WIDTH + cell; column += 1) {
      if ((row + column) % 2 === 1) continue;
      const share = column / (POSTER_WIDTH / cell);
      const size = round(cell * (0.32 + 0.68 * (fromLeft ? 1 - share : share)));
      const inset = round((cell - size) / 2);
      const color = (row * 2 + column) % 3 === lit ? PAPER : STOCK;
      cells.push(
        `<rect x="${column * cell + inset}" y="${row * cell + inset}" width="${size}" height="${size}" fill="${color}"/>`,
      );
    }
  }
  return cells.join('');
}

/** Parallel waves, thinner toward the top, with a paper moon. */
function wave(random: Random): string {
  const length = between(380, 620, random);
  const height = between(44, 84, random);
  const moon = between(180, 1020, random);
  const bands = [0, 1, 2, 3, 4].map((index) => {
    const y = 730 - index * 112;
    const shift = (index * length) / 9;
    return `<path d="${waveLine(y, length, height, shift)}" stroke-width="${62 - index * 11}"/>`;
  });
  return (
    `<circle cx="${moon}" cy="170" r="104" fill="${PAPER}"/>` +
    `<g fill="none" stroke="${STOCK}" stroke-linecap="round">${bands.join('')}</g>`
  );
}

function waveLine(y: number, length: number, height: number, shift: number): string {
  const start = round(-length - shift);
  let line = `M${start} ${y}`;
  for (let x = start, up = true; x < POSTER_WIDTH + length; x += length / 2, up = !up) {
    line += `q${round(length / 4)} ${up ? -height * 2 : height * 2} ${round(length / 2)} 0`;
  }
  return line;
}

/** Stairs up to the stage in two colors, with dots in the air. */
function steps(random: Random): string {
  const count = 5 + Math.floor(random() * 3);
  const width = POSTER_WIDTH / count;
  const risesRight = random() < 0.5;
  const stairs: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const height = round(((index + 1) / count) * 560);
    const x = round(risesRight ? index * width : POSTER_WIDTH - (index + 1) * width);
    stairs.push(
      `<rect x="${x}" y="${POSTER_HEIGHT - height}" width="${round(width + 1)}" height="${height}" fill="${index % 2 ? PAPER : STOCK}"/>`,
    );
  }
  const dots = halftone(75, (x, y) => {
    const share = risesRight ? x / POSTER_WIDTH : 1 - x / POSTER_WIDTH;
    const isInAir = y < POSTER_HEIGHT - (Math.floor(share * count) + 1) * (560 / count) - 40;
    return isInAir ? 17 - y * 0.028 : 0;
  });
  return `${stairs.join('')}<g fill="${PAPER}">${dots}</g>`;
}

/** Dots on a grid, sized by `radiusAt`; the smallest are skipped. */
function halftone(pitch: number, radiusAt: (x: number, y: number) => number): string {
  const dots: string[] = [];
  for (let y = pitch / 2; y < POSTER_HEIGHT + pitch / 2; y += pitch) {
    for (let x = pitch / 2; x < POSTER_WIDTH + pitch / 2; x += pitch) {
      const radius = radiusAt(x, y);
      if (radius >= 3) dots.push(`<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}"/>`);
    }
  }
  return dots.join('');
}

const round = (value: number) => Math.round(value * 10) / 10;
const between = (low: number, high: number, random: Random) => Math.round(low + (high - low) * random());

function pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[], random: Random): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('Nothing to pick from.');
  return item;
}

/** Deterministic numbers in [0, 1) on every machine: an FNV-1a hash seeds mulberry32. */
function seededRandom(text: string): Random {
  let state = 0x811c9dc5;
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
