import { randomBytes } from 'node:crypto';

/** Nothing of the uploader's name is kept: it may say who took the photo, or try to leave the folder. */
export const newPhotoFileName = () => `${randomBytes(16).toString('hex')}.webp`;

export const isPhotoFileName = (text: string) => /^[0-9a-f]{32}\.webp$/.test(text);
