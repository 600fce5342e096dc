/** The map itself, in a chunk of its own: Leaflet weighs as much as a whole screen. */
import * as L from 'leaflet';
import 'leaflet/dist/leaflet.css';
import markerIcon from 'leaflet/dist/images/marker-icon.png';
import markerIcon2x from 'leaflet/dist/images/marker-icon-2x.png';
import markerShadow from 'leaflet/dist/images/marker-shadow.png';

const MAP_ZOOM = 13;
const TILES = 'https://tile.openstreetmap.org/{z}/{x}/{y}.png';
const ATTRIBUTION = '&copy; <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors';

export type Place = { latitude: number; longitude: number };

export interface PinnedMap {
  show(place: Place): void;
  remove(): void;
}

interface Pin extends Place {
  label: string;
  onMove?: ((place: Place) => void) | undefined;
}

export function pinnedMap(container: HTMLElement, { latitude, longitude, label, onMove }: Pin): PinnedMap {
  // The wheel scrolls the page; the map has buttons, and drags.
  const map = L.map(container, { scrollWheelZoom: false }).setView([latitude, longitude], MAP_ZOOM);
  map.attributionControl.setPrefix(false);
  L.tileLayer(TILES, { maxZoom: 19, attribution: ATTRIBUTION }).addTo(map);

  const icon = L.icon({
    iconUrl: markerIcon,
    iconRetinaUrl: markerIcon2x,
    shadowUrl: markerShadow,
    iconSize: [25, 41],
    iconAnchor: [12, 41],
    popupAnchor: [1, -34],
    shadowSize: [41, 41],
  });
  const marker = L.marker([latitude, longitude], { icon, alt: label, draggable: Boolean(onMove) }).addTo(map);
  if (onMove) letPinMove(map, marker, onMove);
  else marker.bindPopup(textNode(label));

  // A map that opens inside a dialog, or grows with it, must be told its new size.
  const sizes = new ResizeObserver(() => map.invalidateSize());
  sizes.observe(container);

  return {
    show(place) {
      const there = L.latLng(place.latitude, place.longitude);
      marker.setLatLng(there);
      if (!map.getBounds().pad(-0.2).contains(there)) map.setView(there, map.getZoom());
    },
    remove() {
      sizes.disconnect();
      map.remove();
    },
  };
}

const ARROWS: Record<string, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** By dragging, or with the arrow keys while the pin has the focus: one pixel, ten with Shift. */
function letPinMove(map: L.Map, marker: L.Marker, onMove: (place: Place) => void) {
  const tell = () => onMove({ latitude: marker.getLatLng().lat, longitude: marker.getLatLng().lng });
  marker.on('dragend', tell);
  marker.getElement()?.addEventListener('keydown', (event) => {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const reach = event.shiftKey ? 10 : 1;
    const at = map.latLngToContainerPoint(marker.getLatLng()).add([step[0] * reach, step[1] * reach]);
    marker.setLatLng(map.containerPointToLatLng(at));
    tell();
  });
}

/** Leaflet reads a string as HTML, and a title is whatever an organizer typed. */
function textNode(text: string): HTMLElement {
  const element = document.createElement('span');
  element.textContent = text;
  return element;
}
