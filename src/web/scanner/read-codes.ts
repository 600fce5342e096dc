/** QR codes out of camera frames. A chunk of its own: the decoder is only fetched once a camera runs. */
import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill';
// From our own origin: the library's default would fetch the decoder from a CDN.
import decoderUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

prepareZXingModule({
  overrides: { locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? decoderUrl : prefix + path) },
});

const detector = new BarcodeDetector({ formats: ['qr_code'] });

/** Side of the scan box, in CSS pixels of the page. */
const SCAN_BOX = 250;

/**
 * The text of the code whose middle lies in the scan box, or `null`.
 * The whole frame is searched, so that a code larger than the box still reads.
 */
export async function codeInBox(video: HTMLVideoElement): Promise<string | null> {
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return null;
  const codes = await detector.detect(video);
  const reach = halfBoxInFrame(video);
  const inBox = codes.find(({ boundingBox }) => {
    const fromMiddle = (start: number, length: number, frame: number) => Math.abs(start + length / 2 - frame / 2);
    return (
      fromMiddle(boundingBox.x, boundingBox.width, video.videoWidth) <= reach &&
      fromMiddle(boundingBox.y, boundingBox.height, video.videoHeight) <= reach
    );
  });
  return inBox?.rawValue || null;
}

/** The frame covers the stage, so it is scaled by the larger ratio and cropped in the other direction. */
function halfBoxInFrame(video: HTMLVideoElement): number {
  const scale = Math.max(video.clientWidth / video.videoWidth, video.clientHeight / video.videoHeight);
  return SCAN_BOX / 2 / (scale || 1);
}
