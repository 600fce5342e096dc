/** Sends one mail. At least once: a mail that is sent again after a crash carries the same `messageId`. */
export interface Mailer {
  send(mail: Email): Promise<void>;
}

export interface Email {
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  attachments: readonly EmailAttachment[];
}

export interface EmailAttachment {
  fileName: string;
  contentType: string;
  content: Buffer;
  /** With an id, the HTML shows it in place, as `cid:ID`. */
  contentId?: string;
}
