/** Icons of the scanner controls, on a 24-pixel grid. The buttons carry the labels. */
const paths = {
  torch: 'M7 3h10v4l-2.5 3.5V21h-5V10.5L7 7zM7 7h10M12 13v2',
  flip: 'M4 8.5h2.5L8 6h8l1.5 2.5H20V19H4zM9 13.5a3 3 0 0 1 5.5-1.5M15 13.5a3 3 0 0 1-5.5 1.5M14.8 10v2.2h-2.2M9.2 17v-2.2h2.2',
  sound: 'M4 9.5h4l5-4v13l-5-4H4zM16.5 9a4 4 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11',
  muted: 'M4 9.5h4l5-4v13l-5-4H4zM16.5 9.5l5 5M21.5 9.5l-5 5',
};

export function ScannerIcon({ name }: { name: keyof typeof paths }) {
  return (
    <svg viewBox="0 0 24 24" width="30" height="30" aria-hidden="true">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.9"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
