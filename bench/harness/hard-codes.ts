/**
 * Camera frames with QR codes that are hard to read, each with its number. Rendered from a seed, so that every decoder
 * and every run sees the same frames.
 */
import sharp from 'sharp';
import { encode } from 'uqr';

export const hardships = ['turned', 'tilted', 'blurred', 'dim', 'glare', 'small', 'noisy'] as const;
export type Hardship = (typeof hardships)[number];

export interface Frame {
  hardship: Hardship;
  number: string;
  width: number;
  height: number;
  /** RGBA pixels, as from a canvas. */
  data: Uint8ClampedArray<ArrayBuffer>;
}

const WIDTH = 1280;
const HEIGHT = 720;
const PAPER = 235;
const INK = 20;
const TABLE = 120;

/** From 0 (trivial) to 1 (hopeless), in even steps for each hardship. */
export async function hardFrames(each: number): Promise<Frame[]> {
  const frames: Frame[] = [];
  for (const [place, hardship] of hardships.entries()) {
    for (let step = 0; step < each; step++) {
      const random = randomFrom(1 + place * 1000 + step);
      frames.push(await frameOf(hardship, (step + 0.5) / each, random));
    }
  }
  return frames;
}

type Random = () => number;

async function frameOf(hardship: Hardship, howHard: number, random: Random): Promise<Frame> {
  const number = String(1_000_000_000 + Math.floor(random() * 8_999_999_999));
  const rendered = render(number, poseOf(hardship, howHard, random));
  const grey = await blurred(rendered, hardship === 'blurred' ? 1 + howHard * 7 : 0.6);
  if (hardship === 'dim') dim(grey, 50 - howHard * 44);
  if (hardship === 'glare') shine(grey, howHard, random);
  addNoise(grey, hardship === 'noisy' ? 40 + howHard * 160 : 3, random);

  const data = new Uint8ClampedArray(grey.length * 4).fill(255);
  for (let pixel = 0; pixel < grey.length; pixel++) {
    const light = grey[pixel] ?? 0;
    for (let color = 0; color < 3; color++) data[pixel * 4 + color] = light;
  }
  return { hardship, number, width: WIDTH, height: HEIGHT, data };
}

/** How the ticket is reserved: its side in pixels, its rotation, and the perspective of each axis. */
interface Pose {
  side: number;
  turn: number;
  tilt: [number, number];
}

function poseOf(hardship: Hardship, howHard: number, random: Random): Pose {
  const turn = (random() - 0.5) * 0.3;
  const side = 260 + random() * 80;
  if (hardship === 'turned') return { side, turn: random() * 2 * Math.PI, tilt: [0, 0] };
  if (hardship === 'small') return { side: 90 - howHard * 62, turn, tilt: [0, 0] };
  if (hardship !== 'tilted') return { side, turn, tilt: [0, 0] };
  const direction = random() * 2 * Math.PI;
  return { side, turn, tilt: [Math.cos(direction) * howHard, Math.sin(direction) * howHard] };
}

/** Maps each pixel back to the ticket, with four samples per pixel. */
function render(number: string, { side, turn, tilt }: Pose): Uint8Array {
  const { data: modules, size } = encode(number, { ecc: 'M', border: 4 });
  const grey = new Uint8Array(WIDTH * HEIGHT).fill(TABLE);
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  // Upper bound for the distance of a corner from the center, for any rotation and tilt.
  const reach = 1 + (side * Math.SQRT1_2) / (1 - Math.SQRT1_2 * Math.hypot(...tilt));
  const within = (length: number) =>
    [Math.max(0, Math.floor(length / 2 - reach)), Math.min(length, Math.ceil(length / 2 + reach))] as const;
  const [[left, right], [top, bottom]] = [within(WIDTH), within(HEIGHT)];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      let light = 0;
      for (const [dx, dy] of QUARTERS) light += lightAt(x + dx - WIDTH / 2, y + dy - HEIGHT / 2);
      grey[y * WIDTH + x] = light / 4;
    }
  }
  return grey;

  function lightAt(x: number, y: number): number {
    const depth = 1 - (tilt[0] * x + tilt[1] * y) / side;
    if (depth <= 0.1) return TABLE;
    const [u, v] = [(x * cos + y * sin) / depth, (y * cos - x * sin) / depth];
    const [column, row] = [Math.floor((u / side + 0.5) * size), Math.floor((v / side + 0.5) * size)];
    const isDark = modules[row]?.[column];
    if (isDark === undefined) return TABLE;
    return isDark ? INK : PAPER;
  }
}

const QUARTERS = [
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
] as const;

async function blurred(grey: Uint8Array, sigma: number): Promise<Uint8Array> {
  const image = sharp(grey, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } }).blur(sigma);
  return new Uint8Array(await image.toColourspace('b-w').raw().toBuffer());
}

/** `span`: distance from black to white. */
function dim(grey: Uint8Array, span: number) {
  for (let pixel = 0; pixel < grey.length; pixel++) grey[pixel] = 8 + ((grey[pixel] ?? 0) / 255) * span;
}

/** A reflection: white in its center, fading outward. */
function shine(grey: Uint8Array, howHard: number, random: Random) {
  const [x0, y0] = [WIDTH / 2 + (random() - 0.5) * 200, HEIGHT / 2 + (random() - 0.5) * 200];
  const radius = 20 + howHard * 130;
  for (let pixel = 0; pixel < grey.length; pixel++) {
    const [x, y] = [pixel % WIDTH, Math.floor(pixel / WIDTH)];
    const distance = Math.hypot(x - x0, (y - y0) * 1.6) / radius;
    grey[pixel] = Math.min(255, (grey[pixel] ?? 0) + 240 * Math.exp(-distance * distance * 1.5));
  }
}

function addNoise(grey: Uint8Array, sigma: number, random: Random) {
  for (let pixel = 0; pixel < grey.length; pixel++) {
    const bell = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    grey[pixel] = Math.min(255, Math.max(0, (grey[pixel] ?? 0) + bell * sigma));
  }
}

/** Mulberry32: short, and deterministic on every machine. */
function randomFrom(seed: number): Random {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
