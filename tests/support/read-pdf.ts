/** Reads PDFs with PDFium, the library of Chromium. */
import { PDFiumLibrary, type PDFiumPageRenderOptions } from '@hyzyla/pdfium';
import sharp from 'sharp';

interface ReadPage {
  text: string;
  /** As a printer draws it, in PNG. */
  image: Buffer;
}

export async function readPdf(pdf: Uint8Array): Promise<ReadPage[]> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(Buffer.from(pdf));
  const pages: ReadPage[] = [];
  for (const page of document.pages()) {
    // First, because rendering closes the page.
    const text = page.getText().replaceAll('\r\n', '\n');
    const { data } = await page.render({ scale: 2, render: toPng });
    pages.push({ text, image: Buffer.from(data) });
  }
  document.destroy();
  library.destroy();
  return pages;
}

const toPng = ({ data, width, height }: PDFiumPageRenderOptions) =>
  sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();

/** The text of all pages. */
export async function pdfText(pdf: Uint8Array): Promise<string> {
  return (await readPdf(pdf)).map(({ text }) => text).join('\n');
}
