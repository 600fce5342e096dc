/** A message to an organizer, and its copy to the sender. */
import { contactCopyEmail as copy, contactEmail as text } from '#messages/sales/contact.ts';
import { type Block, type EmailContent, escapeHtml, paragraph, quoted, smallPrint } from './layout.ts';

interface MessageForEmail {
  title: string;
  from: string;
  message: string;
  buyerName: string | null;
  /** The address is that of an order; otherwise anyone may have typed it. */
  isBuyer: boolean;
}

export function contactEmail({ title, from, message, buyerName, isBuyer }: MessageForEmail): EmailContent {
  const sender = unlinked(from);
  return {
    subject: text.subject(title),
    preview: text.preview(sender),
    head: { above: isBuyer ? text.fromBuyer : text.fromVisitor, title },
    blocks: [
      paragraph(isBuyer ? text.buyer(buyerName && unlinked(buyerName), sender) : text.visitor(sender)),
      quote(unlinked(message)),
      paragraph(text.reply),
      ...(isBuyer ? [] : [smallPrint(text.unconfirmed)]),
    ],
    replyTo: from,
  };
}

export function contactCopyEmail({ title, message }: { title: string; message: string }): EmailContent {
  return {
    subject: copy.subject,
    preview: copy.preview,
    head: { title: copy.subject },
    blocks: [
      paragraph(copy.lead(quoted(title))),
      paragraph(copy.message(quoted(message.replace(/\s+/g, ' ')))),
      smallPrint(copy.notYou),
    ],
  };
}

/** A word joiner after each mark that addresses contain: email clients would link what a stranger wrote. */
const unlinked = (text: string): string => text.replace(/[.:/@](?=\S)/g, '$&\u2060');

function quote(text: string): Block {
  const lines = escapeHtml(text).replaceAll('\n', '<br>');
  return {
    html: `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px"><tr><td class="ink line" style="padding:4px 0 4px 16px;border-left:3px solid #DDD6C6;font-size:16px;line-height:24px;color:#15172B;word-break:break-word">${lines}</td></tr></table>`,
    text: text
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n'),
  };
}
