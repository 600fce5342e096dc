/** Sends one mail. At least once: a mail that is sent again after a crash carries the same `messageId`. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

export interface Mail {
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  attachments: readonly MailAttachment[];
}

export interface MailAttachment {
  fileName: string;
  contentType: string;
  content: Buffer;
  /** With an id, the HTML shows it in place, as `cid:ID`. */
  contentId?: string;
}
