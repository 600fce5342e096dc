/**
 * Layout of every email, in HTML and plain text. Email clients support tables and inline styles reliably, so the
 * style element only adds dark mode and narrow screens.
 */
import type { EmailAttachment } from '#server/platform/ports/mailer.ts';

/** Part of an email, in HTML and as plain text. */
export interface Block {
  html: string;
  text: string;
}

export interface EmailLayout {
  subject: string;
  text: string;
  html: string;
  attachments: readonly EmailAttachment[];
  /** Shown with the sender's address. */
  fromName?: string;
  /** Where answers go. */
  replyTo?: string;
}

/** What a template says. */
export interface EmailContent {
  subject: string;
  /** Preheader: the text that inboxes show after the subject. */
  preview: string;
  /** The dark header of the ticket: a line above the title, the title, and lines below it. */
  head: { above?: string; title: string; below?: readonly string[] };
  blocks: readonly Block[];
  attachments?: readonly EmailAttachment[];
  replyTo?: string;
}

/** The event that an email to a buyer is about. */
export interface SoldEvent {
  /** Null once the organization is deleted. */
  organizationName: string | null;
  /** Nothing reads replies, so the email names the page that does. */
  contactUrl: string;
  /** A JPEG of the event's photo or poster; null if it can't be read. */
  cover: Buffer | null;
}

const SIGNATURE = 'Handstamp. Sell it. Scan it. Get paid.';
const COVER_ID = 'cover@handstamp';
const COVER_WIDTH = 600;
const COVER_HEIGHT = 160;
/** Sharp on screens with two pixels per point. */
export const COVER_SIZE = { width: 2 * COVER_WIDTH, height: 2 * COVER_HEIGHT };

export function renderLayout(content: EmailContent, event: SoldEvent | null = null): EmailLayout {
  const { subject, head, blocks, attachments = [], replyTo } = content;
  const lines = [head.above, head.title, ...(head.below ?? [])].filter((line) => line !== undefined);
  const footer = event ? soldBy(event) : signature();
  const cover = event?.cover ?? null;
  const text = [lines.join('\n'), ...blocks.map((block) => block.text), `-- \n${footer.text}`].join('\n\n');
  return {
    subject,
    text: `${text}\n`,
    html: renderHtml(content, footer.html, cover !== null),
    attachments: cover ? [...attachments, coverPart(cover)] : attachments,
    ...(event?.organizationName && { fromName: senderName(event.organizationName) }),
    ...(replyTo !== undefined && { replyTo }),
  };
}

const SENDER_MAX = 60;

/** An organization may be named like an address, and must not pose as one. */
function senderName(organizationName: string): string {
  const name = organizationName.replace(/[\p{C}\s"<>@]+/gu, ' ').trim();
  return `${Array.from(name).slice(0, SENDER_MAX).join('').trimEnd()} via Handstamp`.trimStart();
}

const signature = (): Block => ({ html: escapeHtml(SIGNATURE), text: SIGNATURE });

function soldBy({ organizationName, contactUrl }: SoldEvent): Block {
  const seller = organizationName ?? 'the organizer';
  const sold = `Sold by ${seller} through Handstamp.`;
  const contact = `Contact ${seller}`;
  const noReply = "Questions? Replies to this email aren't read.";
  return {
    html: `${escapeHtml(sold)}<br>${escapeHtml(noReply)} ${link(contact, contactUrl)}`,
    text: `${sold}\n${noReply} ${contact}:\n${contactUrl}`,
  };
}

const coverPart = (content: Buffer): EmailAttachment => ({
  fileName: 'cover.jpg',
  contentType: 'image/jpeg',
  content,
  contentId: COVER_ID,
});

export function paragraph(text: string): Block {
  return {
    html: `<p class="ink" style="margin:0 0 20px;font-size:16px;line-height:24px;color:#15172B">${escapeHtml(text)}</p>`,
    text,
  };
}

/** The first line of an email that has something to celebrate. */
export function greeting(text: string): Block {
  return {
    html: `<p class="ink" style="margin:0 0 16px;font-size:22px;line-height:28px;font-weight:800;letter-spacing:-.01em;color:#15172B;overflow-wrap:anywhere">${escapeHtml(text)}</p>`,
    text,
  };
}

const QUOTE_MAX = 60;

/**
 * Text that a stranger may have chosen: quoted and shortened. A word joiner after each mark that addresses contain keeps email
 * clients from turning it into a link.
 */
export function quoted(text: string, max = QUOTE_MAX): string {
  const characters = Array.from(text);
  const short = characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : text;
  return `"${short.replace(/[.:/@]/g, '$&\u2060')}"`;
}

export function smallPrint(text: string): Block {
  return {
    html: `<p class="quiet" style="margin:20px 0 0;font-size:14px;line-height:21px;color:#5C5F7E">${escapeHtml(text)}</p>`,
    text,
  };
}

/** Short links in one row; in plain text, one per line. */
export function links(all: readonly { label: string; url: string }[]): Block {
  const row = all.map(({ label, url }) => link(label, url)).join('&nbsp; &middot; &nbsp;');
  return {
    html: `<p class="soft" style="margin:12px 0 24px;font-size:15px;line-height:26px;color:#3D4060">${row}</p>`,
    text: all.map(({ label, url }) => `${label}: ${url}`).join('\n'),
  };
}

const link = (label: string, url: string): string =>
  `<a class="link" href="${escapeHtml(url)}" style="color:#2B3BD1">${escapeHtml(label)}</a>`;

/** Uses a table cell and a border, so it still looks like a button in clients that drop link padding or backgrounds. */
export function button(label: string, url: string): Block {
  const address = escapeHtml(url);
  return {
    html: `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 8px"><tr><td class="action" bgcolor="#15172B" style="background:#15172B;border-radius:10px"><a class="action" href="${address}" style="display:inline-block;padding:13px 24px;border:1px solid #15172B;border-radius:10px;background:#15172B;color:#FAF7F0;font-size:16px;line-height:22px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>
<p class="quiet" style="margin:0 0 4px;font-size:13px;line-height:20px;color:#5C5F7E;word-break:break-all">Or open this link: <a class="link" href="${address}" style="color:#2B3BD1">${address}</a></p>`,
    text: `${label}:\n${url}`,
  };
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function renderHtml({ subject, preview, head, blocks }: EmailContent, footer: string, hasCover: boolean): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${DARK_AND_NARROW}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#FAF7F0;color:#15172B;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="ground" bgcolor="#FAF7F0"><tr><td align="center" class="edge" style="padding:28px 16px 40px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" class="column" style="width:600px;max-width:600px;${FONT}">
<tr><td style="padding:0 4px 18px">${WORDMARK}</td></tr>
${hasCover ? COVER : ''}<tr><td class="head" bgcolor="#15172B" style="background:#15172B;border-radius:${hasCover ? '0' : '18px 18px 0 0'};padding:30px 32px 26px">${renderHead(head)}</td></tr>
<tr><td class="head tear" bgcolor="#15172B" style="background:#15172B;border-bottom:3px dotted #FAF7F0;font-size:0;line-height:0;height:6px">&nbsp;</td></tr>
<tr><td class="card" bgcolor="#FFFFFF" style="background:#FFFFFF;border-radius:0 0 18px 18px;padding:28px 32px 32px">
${blocks.map((block) => block.html).join('\n')}
</td></tr>
<tr><td class="quiet" style="padding:20px 4px 0;font-size:13px;line-height:20px;color:#5C5F7E">${footer}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

function renderHead({ above, title, below = [] }: EmailContent['head']): string {
  const kicker = above
    ? `<p style="margin:0 0 10px;font:600 14px/20px ui-monospace,Menlo,Consolas,monospace;letter-spacing:.02em;color:#FFC23C">${escapeHtml(above)}</p>`
    : '';
  const lines = below
    .map((line) => `<p style="margin:10px 0 0;font-size:16px;line-height:24px;color:#C3C5DA">${escapeHtml(line)}</p>`)
    .join('');
  return `${kicker}<h1 style="margin:0;font-size:30px;line-height:34px;font-weight:800;letter-spacing:-.02em;color:#FAF7F0;overflow-wrap:anywhere">${escapeHtml(title)}</h1>${lines}`;
}

/** Says nothing that the title below it doesn't. A client that hides images shows the dark ground. */
const COVER = `<tr><td bgcolor="#15172B" style="background:#15172B;border-radius:18px 18px 0 0;font-size:0;line-height:0"><img src="cid:${COVER_ID}" width="${COVER_WIDTH}" height="${COVER_HEIGHT}" alt="" class="cover" style="display:block;width:100%;max-width:${COVER_WIDTH}px;height:auto;border:0;border-radius:18px 18px 0 0"></td></tr>
`;

const FONT =
  "font-family:'Instrument Sans',-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:24px";

const WORDMARK = `<span class="ink ring" style="display:inline-block;width:24px;height:24px;line-height:23px;border:2px solid #15172B;border-radius:50%;text-align:center;font-weight:800;font-size:14px;color:#15172B;transform:rotate(-11deg)">H</span><span class="ink" style="padding-left:9px;font-size:18px;font-weight:800;letter-spacing:-.02em;color:#15172B">Handstamp</span>`;

const DARK_AND_NARROW = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:640px){.column{width:100%!important}.edge{padding:16px 10px 32px!important}.card,.head{padding-left:22px!important;padding-right:22px!important}}
@media (prefers-color-scheme:dark){
.ground{background:#0E1020!important}.card{background:#171A30!important}.tear{border-bottom-color:#0E1020!important}
.head{background:#20243F!important}.ink{color:#F4F1E8!important}.ring{border-color:#F4F1E8!important}
.soft{color:#C3C5DA!important}.quiet{color:#9CA0C0!important}.line{border-color:#343A5E!important}
.action{background:#FFC23C!important;border-color:#FFC23C!important;color:#15172B!important}.link{color:#A9B4FF!important}
.tile{background:#FFFFFF!important}
}`;
