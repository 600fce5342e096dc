/** Geocodes an address; `null` if not found. */
export interface Geocoder {
  locate(address: Address): Promise<Coordinates | null>;
}

export interface Address {
  street: string;
  city: string;
  state: string;
  postalCode: string;
}

/** Degrees, WGS 84. */
export interface Coordinates {
  latitude: number;
  longitude: number;
}
