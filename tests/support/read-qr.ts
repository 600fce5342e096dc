/** Reads QR codes from images, with the scanner's library and without its download. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const WASM = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));

export async function readQr(image: Buffer): Promise<{ text: string; level: string }[]> {
  const wasmBinary = new Uint8Array(await readFile(WASM)).buffer;
  prepareZXingModule({ overrides: { wasmBinary } });
  const codes = await readBarcodes(new Uint8Array(image), { formats: ['QRCode'] });
  return codes.map(({ text, extra }) => ({ text, level: /"ECLevel":"(.)"/.exec(extra)?.[1] ?? '' }));
}
