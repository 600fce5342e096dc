/** Reads QR codes from camera frames. A separate chunk, so that the attendant code form loads without it. */
import { prepareZXingModule, purgeZXingModule } from 'zxing-wasm/reader';
// Served from our origin: by default, the library fetches the decoder from a CDN.
import decoderUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';
import { loadCode } from '#web/load-code.ts';
import { filtersForFrame, findCodes } from './find-codes.ts';
import { createFrame } from './image-filters.ts';

const overrides = {
  locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? decoderUrl : prefix + path),
};
let warmUpPromise: Promise<void> | undefined;

/** Side of the scan box, in CSS pixels of the page. */
const SCAN_BOX = 250;
/** A code centered in the box may be larger than it. Nothing farther out is searched. */
const SEARCH_AREA_BOXES = 2;
/** Some cameras exceed the requested resolution, and every pixel costs time. */
const SEARCH_SIDE_MAX = 1280;

const canvas = document.createElement('canvas');
const context = canvas.getContext('2d', { willReadFrequently: true });
let frameCount = 0;
let lastUnfilteredMs = 0;

/** Fetches and compiles the decoder and runs it once on a blank frame, because the first run is the slowest. */
export function warmUp(): Promise<void> {
  warmUpPromise ??= loadDecoder().catch((error: unknown) => {
    warmUpPromise = undefined;
    throw error;
  });
  return warmUpPromise;
}

async function loadDecoder(): Promise<void> {
  await loadCode(() => {
    // The library caches a failed load.
    purgeZXingModule();
    return prepareZXingModule({ overrides, fireImmediately: true });
  });
  await findCodes(createFrame(new Uint8ClampedArray(640 * 480 * 4).fill(255), 640, 480), 'none');
}

/** The text of a code whose center is in the scan box, or `null`. */
export async function codeInBox(video: HTMLVideoElement): Promise<string | null> {
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return null;
  const { frame, halfBox } = grabFrame(video);
  if (!frame) return null;
  for (const filter of filtersForFrame(frameCount++, lastUnfilteredMs)) {
    const startedAt = performance.now();
    const codes = await findCodes(frame, filter);
    if (filter === 'none') lastUnfilteredMs = performance.now() - startedAt;
    const inBox = codes.find(
      ({ x, y, text }) => text && Math.abs(x - frame.width / 2) <= halfBox && Math.abs(y - frame.height / 2) <= halfBox,
    );
    if (inBox) return inBox.text;
  }
  return null;
}

/** The part of the frame to search, and half the side of the scan box within it. */
function grabFrame(video: HTMLVideoElement) {
  const { videoWidth, videoHeight } = video;
  const half = halfBoxInFrame(video);
  const width = Math.min(videoWidth, half * 2 * SEARCH_AREA_BOXES);
  const height = Math.min(videoHeight, half * 2 * SEARCH_AREA_BOXES);
  const scale = Math.min(1, SEARCH_SIDE_MAX / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const [left, top] = [(videoWidth - width) / 2, (videoHeight - height) / 2];
  context?.drawImage(video, left, top, width, height, 0, 0, canvas.width, canvas.height);
  return { frame: context?.getImageData(0, 0, canvas.width, canvas.height), halfBox: half * scale };
}

/** The frame covers the stage, so it is scaled by the larger ratio and cropped in the other direction. */
function halfBoxInFrame(video: HTMLVideoElement): number {
  const scale = Math.max(video.clientWidth / video.videoWidth, video.clientHeight / video.videoHeight);
  return SCAN_BOX / 2 / (scale || 1);
}
