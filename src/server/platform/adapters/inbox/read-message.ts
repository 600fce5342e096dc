/** Parses a stored message. */
import PostalMime, { type Address, type Attachment } from 'postal-mime';

export interface ReadableMessage {
  id: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  at: Date;
  headers: readonly { name: string; value: string }[];
  parts: readonly MessagePart[];
}

export interface MessagePart {
  fileName: string;
  contentType: string;
  /** Without the angle brackets. */
  contentId: string | null;
  content: Buffer;
}

export async function readMessage(row: { id: string; raw: Buffer; receivedAt: Date }): Promise<ReadableMessage> {
  const email = await PostalMime.parse(row.raw);
  return {
    id: row.id,
    from: addressText(email.from),
    to: (email.to ?? []).map(addressText).join(', '),
    subject: email.subject ?? '',
    text: email.text ?? '',
    html: email.html ?? '',
    at: row.receivedAt,
    headers: email.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    parts: email.attachments.map(partOf),
  };
}

function partOf(attachment: Attachment, index: number): MessagePart {
  const { content } = attachment;
  return {
    fileName: attachment.filename ?? `part-${index + 1}`,
    contentType: attachment.mimeType,
    contentId: attachment.contentId?.replace(/^<|>$/g, '') ?? null,
    content: typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content)),
  };
}

function addressText(address: Address | undefined): string {
  if (!address) return '';
  if (!address.address) return address.name;
  return address.name ? `${address.name} <${address.address}>` : address.address;
}
