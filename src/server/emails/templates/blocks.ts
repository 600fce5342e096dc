/** Building blocks of an email. Each block renders as HTML and as plain text. */
export interface Block {
  html: string;
  text: string;
}

export function paragraph(text: string): Block {
  return {
    html: `<p class="ink" style="margin:0 0 20px;font-size:16px;line-height:24px;color:#15172B">${escapeHtml(text)}</p>`,
    text,
  };
}

export function smallPrint(text: string): Block {
  return {
    html: `<p class="quiet" style="margin:20px 0 0;font-size:14px;line-height:21px;color:#5C5F7E">${escapeHtml(text)}</p>`,
    text,
  };
}

/** Uses a table cell and a border, so it still looks like a button in clients that drop link padding or backgrounds. */
export function button(label: string, url: string): Block {
  const address = escapeHtml(url);
  return {
    html: `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 8px"><tr><td class="action" bgcolor="#15172B" style="background:#15172B;border-radius:10px"><a class="action" href="${address}" style="display:inline-block;padding:13px 24px;border:1px solid #15172B;border-radius:10px;background:#15172B;color:#FAF7F0;font-size:16px;line-height:22px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>
<p class="quiet" style="margin:0 0 4px;font-size:13px;line-height:20px;color:#5C5F7E;word-break:break-all">Or open this link: <a class="link" href="${address}" style="color:#2B3BD1">${address}</a></p>`,
    text: `${label}:\n${url}`,
  };
}

export interface TicketPass {
  ticketName: string;
  /** "Ticket 1 of 2". */
  position: string;
  confirmationNumber: string;
  /** Content-ID of the attached QR code. */
  contentId: string;
}

/** The QR code sits on its own white tile, so it scans whatever colors the email client applies. */
export function ticketPass({ ticketName, position, confirmationNumber, contentId }: TicketPass): Block {
  const number = escapeHtml(confirmationNumber);
  return {
    html: `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="line" style="margin:0 0 24px;border:0 dotted #DDD6C6;border-bottom-width:2px"><tr><td align="center" style="padding:0 0 24px">
<p class="ink" style="margin:0;font-size:20px;line-height:26px;font-weight:700;color:#15172B">${escapeHtml(ticketName)}</p>
<p class="soft" style="margin:2px 0 16px;font-size:15px;line-height:22px;color:#3D4060">${escapeHtml(position)}</p>
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="tile" bgcolor="#FFFFFF" style="background:#FFFFFF;border-radius:10px;padding:6px"><img src="cid:${escapeHtml(contentId)}" width="200" height="200" alt="QR code of confirmation number ${number}" style="display:block;width:200px;height:200px;border:0;image-rendering:pixelated"></td></tr></table>
<p class="soft" style="margin:14px 0 2px;font-size:14px;line-height:20px;color:#5C5F7E">Confirmation number</p>
<p class="ink" style="margin:0;font:600 26px/32px ui-monospace,Menlo,Consolas,monospace;letter-spacing:.04em;color:#15172B">${number}</p>
</td></tr></table>`,
    text: `${ticketName} (${position})\nConfirmation number: ${confirmationNumber}`,
  };
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
