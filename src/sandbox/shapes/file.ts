/** The `file` object. */

export interface File {
  id: string;
  object: 'file';
  created: number;
  expires_at: null;
  filename: string;
  links: null;
  purpose: 'dispute_evidence';
  size: number;
  title: null;
  type: string;
  url: string;
}

/** The content, in base64. */
export interface FileInside {
  data: string;
}
