import { inflateSync } from 'node:zlib';

/** The text of a PDF as pdf-lib writes it: compressed streams of strings in hexadecimal. */
export function pdfText(pdf: Buffer): string {
  // Exactly one line break: the data itself may end with a carriage return.
  const streams = pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g);
  const lines = [...streams].flatMap(([, stream = '']) => {
    const content = inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
    return [...content.matchAll(/<([0-9A-F]*)> Tj/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'));
  });
  return lines.join('\n');
}
