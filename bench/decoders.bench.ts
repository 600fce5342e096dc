import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import jsQr from 'jsqr';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { findCodes, imageFilters } from '#web/scanner/codes/find-codes.ts';
import { createFrame, cropCenter, type Frame } from '#web/scanner/codes/image-filters.ts';
import { benchmark, type Sample } from './harness/benchmark.ts';
import { closedLoop } from './harness/closed-loop.ts';
import { hardFrames } from './harness/hard-codes.ts';

/** Side of the square that the scanner searches in a frame of 1280 by 720. */
const SEARCHED = 720;
const WASM = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));

type Read = (picture: Frame) => Promise<string | undefined>;

const readers = {
  /** Reads a frame without a filter, then with each filter. */
  async subject(picture) {
    for (const filter of imageFilters) {
      const [code] = await findCodes(picture, filter);
      if (code) return code.text;
    }
    return undefined;
  },
  async onePass(picture) {
    return (await findCodes(picture, 'none'))[0]?.text;
  },
  async library(picture) {
    return (await readBarcodes(picture, { formats: ['QRCode'] }))[0]?.text;
  },
  async jsQr(picture) {
    return jsQr.default(picture.data, picture.width, picture.height, { inversionAttempts: 'dontInvert' })?.data;
  },
} satisfies Record<string, Read>;

type Name = keyof typeof readers;
const names: readonly Name[] = ['subject', 'onePass', 'library', 'jsQr'];

/** Frames that a decoder reads, the same in every round. */
interface Tally {
  read: number;
  misread: number;
}

const readOf = (sample: Sample) => sample['read'] ?? Number.NaN;

export const bench = benchmark<Name>({
  name: 'decoders',
  what: 'Four decoders read tickets that are rotated, tilted, blurred, dim, half in glare, small or noisy.',
  metrics: [
    {
      target: { atLeast: 1.5 },
      baseline: 'codes that jsQR reads',
      ratio: ({ subject, jsQr: other }) => readOf(subject) / readOf(other),
      value: ({ subject }) => readOf(subject),
      unit: 'read in all',
    },
    {
      name: 'decoders/library',
      target: { atLeast: 1 },
      baseline: 'codes that zxing-wasm reads with its defaults',
      ratio: ({ subject, library }) => readOf(subject) / readOf(library),
      value: ({ library }) => readOf(library),
      unit: 'read by that',
    },
    {
      name: 'decoders/share',
      target: { atLeast: 0.7 },
      baseline: 'all of the codes, in one pass',
      ratio: ({ onePass }) => readOf(onePass) / (onePass['of'] ?? Number.NaN),
      value: ({ onePass }) => readOf(onePass),
      unit: 'in one pass',
    },
    {
      name: 'decoders/time',
      target: { atMost: 1 },
      baseline: 'time of one pass of jsQR',
      ratio: ({ onePass, jsQr: other }) => other.perSecond / onePass.perSecond,
      value: ({ onePass }) => onePass.p50 ?? Number.NaN,
      unit: 'ms a pass',
    },
  ],
  async open({ smoke }) {
    const wasmBinary = new Uint8Array(await readFile(WASM)).buffer;
    prepareZXingModule({ overrides: { wasmBinary } });
    const frames = (await hardFrames(smoke ? 1 : 12)).map(({ number, data, width, height }) => ({
      number,
      picture: cropCenter(createFrame(data, width, height), SEARCHED),
    }));
    const tallies = new Map<Name, Tally>();
    for (const name of names) tallies.set(name, await tallyOf(readers[name], frames));

    const contestant = (name: Name) => async (seconds: number) => {
      let index = 0;
      const sample = await closedLoop({ clients: 1, seconds }, async () => {
        // Strided, so that a slow decoder meets every kind of frame within a round.
        const frame = frames[(index++ * 5) % frames.length];
        if (frame) await readers[name](frame.picture);
      });
      return { ...sample, ...tallies.get(name), of: frames.length };
    };
    return {
      contestants: {
        subject: contestant('subject'),
        onePass: contestant('onePass'),
        library: contestant('library'),
        jsQr: contestant('jsQr'),
      },
      check: async ({ subject }) => (subject['misread'] ? [`${subject['misread']} codes were misread`] : []),
      close: async () => {},
    };
  },
});

async function tallyOf(read: Read, frames: readonly { number: string; picture: Frame }[]): Promise<Tally> {
  const tally = { read: 0, misread: 0 };
  for (const { number, picture } of frames) {
    const text = await read(picture);
    if (text === number) tally.read++;
    else if (text !== undefined) tally.misread++;
  }
  return tally;
}
