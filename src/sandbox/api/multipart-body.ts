/** An upload as the form that every other call sends: a file becomes its name and its content in base64. */
export function formOfUpload(body: Buffer, contentType: string): string {
  const form = new URLSearchParams();
  const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1] ?? '';
  // Latin-1 keeps every byte of a file as one character.
  const parts = body.toString('latin1').split(`--${boundary}`).slice(1, -1);
  for (const part of parts) {
    const headEnd = part.indexOf('\r\n\r\n');
    const head = Buffer.from(part.slice(0, headEnd), 'latin1').toString('utf8');
    const content = Buffer.from(part.slice(headEnd + 4, -2), 'latin1');
    const name = /[ ;]name="([^"]*)"/.exec(head)?.[1] ?? '';
    const fileName = /filename="([^"]*)"/.exec(head)?.[1];
    if (fileName === undefined) form.append(name, content.toString('utf8'));
    else {
      form.append(`${name}[name]`, fileName);
      form.append(`${name}[data]`, content.toString('base64'));
    }
  }
  return form.toString();
}
