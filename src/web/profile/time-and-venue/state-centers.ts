/** State capitals as [latitude, longitude]: the map opens there if an address is not found. */
// biome-ignore format: five states a line
const capitals: Record<string, readonly [number, number]> = {
  AL: [32.38, -86.3], AK: [58.3, -134.42], AZ: [33.45, -112.07], AR: [34.75, -92.29], CA: [38.58, -121.49],
  CO: [39.74, -104.98], CT: [41.76, -72.68], DE: [39.16, -75.52], FL: [30.44, -84.28], GA: [33.75, -84.39],
  HI: [21.31, -157.86], ID: [43.62, -116.2], IL: [39.8, -89.65], IN: [39.77, -86.16], IA: [41.59, -93.6],
  KS: [39.05, -95.68], KY: [38.19, -84.88], LA: [30.46, -91.19], ME: [44.31, -69.78], MD: [38.98, -76.49],
  MA: [42.36, -71.06], MI: [42.73, -84.56], MN: [44.95, -93.1], MS: [32.3, -90.18], MO: [38.58, -92.17],
  MT: [46.59, -112.02], NE: [40.81, -96.7], NV: [39.16, -119.77], NH: [43.21, -71.54], NJ: [40.22, -74.77],
  NM: [35.68, -105.94], NY: [42.65, -73.76], NC: [35.78, -78.64], ND: [46.82, -100.78], OH: [39.96, -83.0],
  OK: [35.49, -97.5], OR: [44.94, -123.03], PA: [40.26, -76.88], RI: [41.83, -71.41], SC: [34.0, -81.03],
  SD: [44.37, -100.35], TN: [36.17, -86.78], TX: [30.27, -97.74], UT: [40.78, -111.89], VT: [44.26, -72.58],
  VA: [37.54, -77.43], WA: [47.04, -122.9], WV: [38.34, -81.61], WI: [43.07, -89.38], WY: [41.14, -104.82],
};

export function capitalOf(state: string): { latitude: number; longitude: number } | null {
  const capital = capitals[state];
  return capital ? { latitude: capital[0], longitude: capital[1] } : null;
}
