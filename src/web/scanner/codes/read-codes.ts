/** QR codes out of camera frames. A chunk of its own: the form for the attendant code comes without it. */
import { prepareZXingModule, purgeZXingModule } from 'zxing-wasm/reader';
// From our own origin: the library's default would fetch the decoder from a CDN.
import decoderUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';
import { loadCode } from '#web/load-code.ts';
import { aidsFor, findCodes } from './find-codes.ts';
import { pictureOf } from './image-filters.ts';

const overrides = {
  locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? decoderUrl : prefix + path),
};
let warmed: Promise<void> | undefined;

/** Side of the scan box, in CSS pixels of the page. */
const SCAN_BOX = 250;
/** A code may be larger than the box, whose middle it shares. What lies farther out is not searched. */
const SEARCHED_BOXES = 2;
/** Some cameras give more than they were asked for, and every pixel costs time. */
const SEARCHED_MAX = 1280;

const canvas = document.createElement('canvas');
const context = canvas.getContext('2d', { willReadFrequently: true });
let turn = 0;
let plainMs = 0;

/** Fetches and compiles the decoder, and lets it look at nothing once: its first look is its slowest. */
export function warmUp(): Promise<void> {
  warmed ??= loadDecoder().catch((error: unknown) => {
    warmed = undefined;
    throw error;
  });
  return warmed;
}

async function loadDecoder(): Promise<void> {
  await loadCode(() => {
    // The library remembers a decoder that failed to load.
    purgeZXingModule();
    return prepareZXingModule({ overrides, fireImmediately: true });
  });
  await findCodes(pictureOf(new Uint8ClampedArray(640 * 480 * 4).fill(255), 640, 480), 'none');
}

/** The text of the code whose middle lies in the scan box, or `null`. */
export async function codeInBox(video: HTMLVideoElement): Promise<string | null> {
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return null;
  const { frame, reach } = takeFrame(video);
  if (!frame) return null;
  for (const aid of aidsFor(turn++, plainMs)) {
    const since = performance.now();
    const codes = await findCodes(frame, aid);
    if (aid === 'none') plainMs = performance.now() - since;
    const inBox = codes.find(
      ({ x, y, text }) => text && Math.abs(x - frame.width / 2) <= reach && Math.abs(y - frame.height / 2) <= reach,
    );
    if (inBox) return inBox.text;
  }
  return null;
}

/** The searched middle of the frame, and how far the box reaches in it. */
function takeFrame(video: HTMLVideoElement) {
  const { videoWidth, videoHeight } = video;
  const half = halfBoxInFrame(video);
  const width = Math.min(videoWidth, half * 2 * SEARCHED_BOXES);
  const height = Math.min(videoHeight, half * 2 * SEARCHED_BOXES);
  const shrink = Math.min(1, SEARCHED_MAX / Math.max(width, height));
  canvas.width = Math.round(width * shrink);
  canvas.height = Math.round(height * shrink);
  const [left, top] = [(videoWidth - width) / 2, (videoHeight - height) / 2];
  context?.drawImage(video, left, top, width, height, 0, 0, canvas.width, canvas.height);
  return { frame: context?.getImageData(0, 0, canvas.width, canvas.height), reach: half * shrink };
}

/** The frame covers the stage, so it is scaled by the larger ratio and cropped in the other direction. */
function halfBoxInFrame(video: HTMLVideoElement): number {
  const scale = Math.max(video.clientWidth / video.videoWidth, video.clientHeight / video.videoHeight);
  return SCAN_BOX / 2 / (scale || 1);
}
