/** How the organizer arranges the photos of an event. */
export const photosArranged = 'Photos saved';

export const arrangeText = {
  title: 'Arrange Photos',
  lead: (shown: number) =>
    `Drag photos into order, or move them with the arrow buttons. The event page opens with the cover and shows ${shown} photos. The cover also stands for the event on cards, tickets and shared links.`,
  photos: (title: string) => `Photos of ${title} in order`,
  photo: (position: number) => `Photo ${position}`,
  earlier: (position: number) => `Move photo ${position} earlier`,
  later: (position: number) => `Move photo ${position} later`,
  edit: (position: number) => `Edit photo ${position}`,
  moved: (position: number, count: number) => `Photo moved to position ${position} of ${count}.`,
  cover: 'Cover',
  useAsCover: 'Use as cover',
  isCover: 'This is the cover',
  back: 'All photos',
  focus: 'Focal point',
  focusHint: 'Stays in view where the photo is cropped. Click or drag on the photo, or use the arrow keys.',
  focusAt: (x: number, y: number) => `${x}% from the left, ${y}% from the top`,
  center: 'Reset to the middle',
  crops: 'How it is cropped',
  crop: { page: 'Event page', card: 'Card', ticket: 'Ticket', link: 'Shared link' },
  altText: 'Alt text',
  altTextHint: 'Describes the photo to people who can’t see it. Optional.',
  save: 'Save',
  showCurrent: 'Show the current photos',
};
